/**
 * D5: a token costs the same whatever came before: no list of ids is copied or looked through for it.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  beamSearch,
  generate,
  generateMany,
  generateSpeculative,
  type LanguageModel,
  ModelDrafter,
  NgramTable,
  NgramTableDrafter,
  PromptLookupDrafter,
} from '../../src/index.js';
import { TokenHistory } from '../../src/sampler/token-history.js';
import { PieceTokenizer, ScriptedModel } from '../support/scripted-model.js';
import type { StrictModelParts } from '../support/strict-model.js';
import { longReads } from './long-reads.js';

const tokenizer = new PieceTokenizer(['a', 'b', 'c', 'd']);
const LONG = 500;
const TOKENS = 2000;

/** Logits that depend on the last id and on how many there are, so that beams part and texts do not repeat. */
function model(contextLength: number, more: Partial<StrictModelParts> = {}, salt = 7): ScriptedModel {
  const logitsAfter = (ids: readonly number[]) => {
    const last = ids.at(-1) as number;
    return [0, 1, 2, 3].map((id) => ((last * 31 + ids.length * 17 + id * id * salt) % 13) / 4);
  };
  return new ScriptedModel(4, contextLength, [], logitsAfter, 0, more);
}

const params = { seed: 1, max_tokens: TOKENS, logprobs: 2, repetition_penalty: 1.1, stop: ['never'] };
const lookup = new PromptLookupDrafter();
const table = new NgramTableDrafter(new NgramTable([[1, 2, 3, 1, 2, 0]], 3));
const drafts = new ModelDrafter(model(5000, {}, 5), {});
const speculative = (asked: LanguageModel, drafter: typeof lookup | typeof table | typeof drafts) =>
  generateSpeculative(asked, tokenizer, [1, 2], params, { drafter });
const search = { num_beams: 4, num_return_sequences: 1, max_tokens: TOKENS / 2, repetition_penalty: 1.1 };

const RUNS: readonly { readonly how: string; readonly run: () => PromiseLike<unknown> }[] = [
  { how: 'generate', run: () => generate(model(5000), tokenizer, [1, 2], params) },
  { how: 'a window that slides', run: () => generate(model(8), tokenizer, [1, 2], params, { whenFull: 'slide' }) },
  {
    how: 'a long prompt',
    run: () => generate(model(5000), tokenizer, new Array<number>(1000).fill(1), { ...params, max_tokens: 1000 }),
  },
  {
    how: 'generateMany',
    run: () =>
      generateMany(model(5000), tokenizer, [
        { prompt: [1], params },
        { prompt: [2], params },
      ]),
  },
  { how: 'speculation by prompt lookup', run: () => speculative(model(5000), lookup) },
  { how: 'speculation by a table', run: () => speculative(model(5000), table) },
  { how: 'speculation by a model', run: () => speculative(model(5000), drafts) },
  { how: 'speculation of blocks', run: () => speculative(model(5000, { givesEach: true }), drafts) },
  { how: 'beams', run: () => beamSearch(model(5000), [1, 2], search) },
  { how: 'beams that are copied', run: () => beamSearch(model(5000, { forks: true }), [1, 2], search) },
];

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the work of a token', () => {
  it.each(RUNS)('reads no long list of ids: $how', async ({ run }) => {
    const reads = await longReads(LONG, run);
    expect(reads).toBeLessThan(12 * TOKENS); // the prompt and the result are put together once, of each text
  });

  it('brings the histories of beams on by the ids that came', async () => {
    const accept = vi.spyOn(TokenHistory.prototype, 'accept');
    await beamSearch(model(5000, { forks: true }), [1, 2], search);
    expect(accept.mock.calls.length).toBeLessThan(3 * search.num_beams * search.max_tokens);
  });

  it('hands each id over to a session once, and again only where it was cut back', async () => {
    const asked = model(5000, { forks: true });
    await beamSearch(asked, [1, 2], search);
    expect(asked.appended.flat().length).toBe(3 + search.num_beams * (search.max_tokens - 1));
    expect(asked.truncations).toEqual([]);
  });
});
