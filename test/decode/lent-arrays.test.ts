/**
 * M3: generations, beams and drafts give the arrays of a token back once what its event says was read, so that any number
 * of them in turn work in the arrays of one.
 */
import { describe, expect, it } from 'vitest';
import { createContainer } from '../../src/container/index.js';
import { generateChoices, generateMany } from '../../src/decode/run/generate-many.js';
import { beamSearch, generate, generateSpeculative, ModelDrafter, type SpeculativeOptions } from '../../src/index.js';
import { Pcg32 } from '../../src/random/index.js';
import { countingNumerics, withNumerics } from '../sampler/counting-numerics.js';
import { PieceTokenizer, ScriptedModel } from '../support/scripted-model.js';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const V = LETTERS.length;
const tokenizer = new PieceTokenizer(LETTERS);

/** Random logits that depend on every id before. */
function randomModel(): ScriptedModel {
  const logitsAfter = (ids: readonly number[]) => {
    const random = new Pcg32(ids.reduce((hash, id) => (hash * 31 + id + 1) % 1_000_003, 7));
    return Float32Array.from({ length: V }, () => random.uniform() * 6);
  };
  return new ScriptedModel(V, 100, [0], logitsAfter);
}

const counted = () => {
  const counting = countingNumerics();
  return { counting, container: createContainer(withNumerics(counting.numerics)) };
};
const params = (seed: number) => ({ seed, max_tokens: 5, logprobs: 2, min_tokens: 5, repetition_penalty: 1.1 });

describe('the arrays', () => {
  it('of a hundred requests of generateMany are those of one', async () => {
    const { counting, container } = counted();
    const requests = Array.from({ length: 100 }, (_, i) => ({
      prompt: 'abc',
      params: params(i),
      options: { container },
    }));
    const results = await generateMany(randomModel(), tokenizer, requests);
    const alone = await generate(randomModel(), tokenizer, 'abc', params(99));
    expect(results.at(-1)).toEqual({ status: 'fulfilled', value: alone });
    expect(counting.made).toBe(1);
  });

  it('of the texts of generateChoices are those of one', async () => {
    const { counting, container } = counted();
    await generateChoices(randomModel(), tokenizer, 'abc', { ...params(1), n: 8 }, { container });
    expect(counting.made).toBe(1);
  });

  it('of speculative texts and their drafts are those of one', async () => {
    const { counting, container } = counted();
    const texts = Array.from({ length: 10 }, (_, i) => {
      const drafter = new ModelDrafter(randomModel(), { temperature: 1.5 }, { container });
      return generateSpeculative(randomModel(), tokenizer, 'abc', params(i), { drafter, container });
    });
    const turns = texts.map((text) => text[Symbol.asyncIterator]());
    for (let n = 0; n < 6; n++) for (const turn of turns) await turn.next();
    expect(counting.made).toBe(1);
  });

  it('of beams are those of one, whatever searches run beside', async () => {
    const { counting, container } = counted();
    const options = { container };
    const search = () =>
      beamSearch(randomModel(), [1, 2], { num_beams: 4, max_tokens: 4, repetition_penalty: 1.2 }, options);
    await Promise.all([search(), search(), search()]);
    expect(counting.made).toBe(1);
  });

  it('of generations that fail, are aborted or left come back', async () => {
    const { counting, container } = counted();
    for (let i = 0; i < 20; i++) {
      const broken = new PieceTokenizer(LETTERS);
      broken.tokenBytes = () => {
        throw new Error('no bytes');
      };
      const options = { container };
      await expect(generate(randomModel(), broken, [1, 2], params(i), options)).rejects.toThrow('no bytes');
      const drafter: SpeculativeOptions = { drafter: new ModelDrafter(randomModel(), {}, options), container };
      await expect(generateSpeculative(randomModel(), broken, [1, 2], params(i), drafter)).rejects.toThrow('no bytes');
      for await (const _ of generate(randomModel(), tokenizer, 'abc', params(i), options)) break;
      for await (const _ of generateSpeculative(randomModel(), tokenizer, 'abc', params(i), drafter)) break;
    }
    expect(counting.made).toBe(1);
  });
});
