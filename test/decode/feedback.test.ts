/**
 * What a step with `feedback` is told under speculation and in a beam search.
 */
import { describe, expect, it } from 'vitest';
import type { AcceptInfo, JsonValue, LogitsProcessor } from '../../processors/index.js';
import { ProcessorChain } from '../../src/core.js';
import type { Drafter } from '../../src/decode/speculation/draft.js';
import {
  beamSearch,
  createSampler,
  generate,
  generateSpeculative,
  ModelDrafter,
  PromptLookupDrafter,
} from '../../src/index.js';
import { Pcg32 } from '../../src/random/index.js';
import { PieceTokenizer, ScriptedModel } from '../support/scripted-model.js';

const V = 4;
const PROMPT = [0, 1, 0];
const tokenizer = new PieceTokenizer(['a', 'b', 'c', 'd']);

/** Logits that depend on every id before. */
function logitsAfter(ids: readonly number[], salt = 7): Float32Array {
  const rng = new Pcg32(ids.reduce((h, id) => (h * 31 + id + 1) % 1_000_003, salt));
  return Float32Array.from({ length: V }, () => rng.uniform() * 4);
}

const model = (salt?: number) => new ScriptedModel(V, 60, [], (ids) => logitsAfter(ids, salt));

/** Writes down what it is told, and takes it back. */
class Listener implements LogitsProcessor {
  readonly name = 'listener';
  readonly stage = 'policy';
  readonly feedback = 'drawn';
  told: [id: number, probability: number | undefined][] = [];

  process(): void {}

  accept(id: number, info?: AcceptInfo): void {
    this.told.push([id, info?.probability]);
  }

  save(): JsonValue {
    return this.told.map(([id, probability]) => [id, probability ?? null]);
  }

  restore(state: JsonValue): void {
    const pairs = state as [number, number | null][];
    this.told = pairs.map(([id, probability]) => [id, probability ?? undefined]);
  }
}

/** q of each id of `output` by the model alone, as a sampler that is asked for nothing else gives it. */
function shares(output: readonly number[]): number[] {
  return output.map((id, i) => {
    const sampler = createSampler({ seed: 1 });
    return sampler.distribution(logitsAfter([...PROMPT, ...output.slice(0, i)]))[id] as number;
  });
}

const DRAFTERS: [string, () => Drafter][] = [
  ['looked up in the prompt', () => new PromptLookupDrafter({ minNgram: 1 })],
  ['drawn by another model', () => new ModelDrafter(model(8))],
  ['drawn by the same model', () => new ModelDrafter(model())],
];

function chainOf(step: LogitsProcessor): ProcessorChain {
  return new ProcessorChain([step]);
}

describe('a step with feedback', () => {
  it('is told the share of each id that is drawn one by one', async () => {
    const step = new Listener();
    const { ids } = await generate(model(), tokenizer, PROMPT, { seed: 5, max_tokens: 30 }, { chain: chainOf(step) });
    expect(step.told).toEqual(ids.map((id, i) => [id, shares(ids)[i]]));
  });

  it.each(DRAFTERS)("is told the target's share of each id of a draft %s", async (_, make) => {
    const step = new Listener();
    const options = { drafter: make(), chain: chainOf(step) };
    const { ids, speculation } = await generateSpeculative(
      model(),
      tokenizer,
      PROMPT,
      { seed: 5, max_tokens: 30 },
      options,
    );
    expect(speculation.accepted).toBeGreaterThan(0);
    expect(step.told.slice(0, ids.length)).toEqual(ids.map((id, i) => [id, shares(ids)[i]]));
  });

  it('is told no share in a beam search', async () => {
    const told: (number | undefined)[] = [];
    const step = new Listener();
    const accept = step.accept.bind(step);
    step.accept = (id, info) => {
      told.push(info?.probability);
      accept(id, info);
    };
    await beamSearch(model(), PROMPT, { num_beams: 2, max_tokens: 5 }, { chain: chainOf(step) });
    expect(told.length).toBeGreaterThan(4);
    expect(told.every((probability) => probability === undefined)).toBe(true);
    expect(step.told).toEqual([]); // it is given back as it came
  });
});
