/**
 * What the laws try a processor on: random tokens, from the smallest vocabularies up, so that the first that breaks a law is
 * short enough to be read.
 */
import type { LogitsProcessor } from '../../../processors/contract.js';
import { Pcg32 } from '../../random/pcg32.js';
import { show } from '../../show.js';

/** One processor and what it is tried on. */
export interface Example {
  /** The processor, made anew and in its first state each time. */
  fresh(): LogitsProcessor;
  /** The logits of several tokens, f32[V] each. */
  readonly rows: readonly Float32Array[];
  /** Ids that came before, and one for each token. */
  readonly prompt: readonly number[];
  readonly history: readonly number[];
  readonly accepted: readonly number[];
  readonly seed: number;
}

const TOKENS = 6;
/** The largest V that is tried, from the first example to the last. */
const SIZES = [3, 8, 120, 600] as const;

/** Example `n` of `count`. `make` is handed a generator in the same state each time. */
export function exampleOf(make: (random: Pcg32) => LogitsProcessor, n: number, count: number, seed: number): Example {
  const random = new Pcg32(n, seed);
  const V = 1 + random.below(SIZES[Math.floor((n * SIZES.length) / count)] as number);
  const options = random.save();
  const ids = (length: number) => Array.from({ length }, () => random.below(V));
  return {
    fresh: () => make(Pcg32.restore(options)),
    rows: Array.from({ length: TOKENS }, () => randomRow(random, V)),
    prompt: ids(random.below(6)),
    history: ids(random.below(8)),
    accepted: ids(TOKENS),
    seed: n,
  };
}

/** Logits with ties, masks and signed zeros. */
function randomRow(random: Pcg32, V: number): Float32Array {
  const isCoarse = random.below(2) === 0;
  const spared = random.below(V);
  return Float32Array.from({ length: V }, (_, id) => {
    if (id !== spared && random.below(5) === 0) return -Infinity;
    const l = 12 * (random.uniform() + random.uniform() - 1);
    return isCoarse ? Math.trunc(l / 4) : l; // -0 among them
  });
}

/** What `example` is, for a message: long lists are cut. */
export function tell({ fresh, rows, prompt, history }: Example): string {
  let options: unknown;
  try {
    options = fresh().options;
  } catch {}
  const row = rows[0] as Float32Array;
  return [
    `options ${show(options ?? {})}`,
    `V = ${row.length}`,
    `prompt ${show(prompt)}`,
    `output ${show(history)}`,
    `logits ${show([...row])}`,
  ].join(', ');
}
