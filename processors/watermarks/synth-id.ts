import type { Candidates, StepContext } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { flag } from '../schema.js';
import * as z from '../zod.js';
import { gValue, hashOf, hashOn, synthScheme } from './parts/synth-scheme.js';

export const synthIdOptions = z.strictObject({ ...synthScheme, skip_first_ngram_calls: z._default(flag(), false) });

/**
 * SynthID: a watermark by a tournament of ids, which leaves the probabilities as they are on average over the keys.
 *
 * The context is the last ngram_len - 1 ids of the output, 0 where there are fewer. Each key d gives each id of K a bit g_d: the
 * context, the id and the key are hashed, h = 1, then h = (h + x) 6364136223846793005 + 1 modulo 2^64 for each, and g_d is the entry
 * h modulo 2^16 of a table of random bits. For each key in turn q = q (1 + g_d - sum g_d q), from the left and by ascending id,
 * beginning with the softmax q over K; then l = ln q, -Infinity for 0. Where the same context was there for one of the last
 * context_history_size (1024) tokens, nothing happens, nor, with skip_first_ngram_calls, for the first ngram_len - 1. Only their
 * lowest 16 bits count of the keys. It is to stand last, behind the filters: it looks at |K| ids for each key. `detectSynthId`
 * finds the mark.
 * Source: Dathathri et al. 2024, Nature 634. Elsewhere: SynthIDTextWatermarkLogitsProcessor, SynthIDTextWatermarkingConfig.
 * Differs from Hugging Face: the table is that of sampling_table_size 2^16 and sampling_table_seed 0 on a CPU; contexts are
 * compared themselves, not their hashes; an id without probability is removed, not set to the lowest number.
 * Example: { "use": "synth-id", "keys": [654, 400, 836, 123], "ngram_len": 5 }
 */
@processor({ name: 'synth-id', options: synthIdOptions, stage: 'policy', leavesOne: true })
export class SynthId extends Processor<typeof synthIdOptions> {
  /** Room for the hash of each id of K, used for one token. */
  #hashes = new Uint16Array(0);

  process(candidates: Candidates, { history, numerics }: StepContext): void {
    const { keys, ngram_len, skip_first_ngram_calls } = this.options;
    const { output } = history;
    if (skip_first_ngram_calls && output.length < ngram_len - 1) return;
    if (this.#isRepeated(output)) return;
    const hashes = this.#hashesOf(candidates.ids(), hashOf(contextAt(output, output.length, ngram_len - 1)));
    const q = candidates.probabilities();
    for (const key of keys) play(q, hashes, key);
    let index = 0;
    candidates.mapLogits(() => numerics.log(q[index++] as number));
  }

  /** Whether the context of now was that of one of the tokens before that it is looked for in. */
  #isRepeated(output: readonly number[]): boolean {
    const { ngram_len, context_history_size, skip_first_ngram_calls } = this.options;
    const now = output.length;
    const first = Math.max(now - context_history_size, skip_first_ngram_calls ? ngram_len - 1 : 0);
    for (let t = first; t < now; t++) if (isSameContext(output, t, now, ngram_len - 1)) return true;
    return false;
  }

  #hashesOf(ids: Int32Array, context: number): Uint16Array {
    if (this.#hashes.length < ids.length) this.#hashes = new Uint16Array(ids.length);
    for (let i = 0; i < ids.length; i++) this.#hashes[i] = hashOn(context, ids[i] as number);
    return this.#hashes;
  }
}

/** One round of the tournament, on q in place. */
function play(q: Float64Array, hashes: Uint16Array, key: number): void {
  let mass = 0;
  for (let i = 0; i < q.length; i++) mass += gValue(hashes[i] as number, key) * (q[i] as number);
  for (let i = 0; i < q.length; i++) q[i] = (q[i] as number) * (1 + gValue(hashes[i] as number, key) - mass);
}

/** The `count` ids before the one at `t`, the oldest first, 0 where there are fewer. */
function contextAt(ids: readonly number[], t: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => ids[t - count + i] ?? 0);
}

function isSameContext(ids: readonly number[], a: number, b: number, count: number): boolean {
  for (let i = 1; i <= count; i++) if ((ids[a - i] ?? 0) !== (ids[b - i] ?? 0)) return false;
  return true;
}
