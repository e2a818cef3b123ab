import { describe, expect, it } from 'vitest';
import { createChain, createSampler, NoRepeatNgram } from '../../../src/index.js';
import { expectSameBits } from '../../support/bits.js';
import { agreesWithPlainArrays, expectUnchanged, logitsAfter, without } from './plain-masks.js';

const M = -Infinity;

describe('NoRepeatNgram', () => {
  it.each([
    { n: 3, prompt: [], output: [5, 6, 7, 5, 6], banned: [7], why: 'it followed the last two before' },
    { n: 3, prompt: [5, 6], output: [7, 5, 6], banned: [7], why: 'across the end of the prompt' },
    { n: 3, prompt: [5, 6, 7, 5, 6], output: [], banned: [7], why: 'in the prompt alone' },
    { n: 3, prompt: [], output: [5, 6], banned: [], why: 'fewer than n ids' },
    { n: 3, prompt: [], output: [5, 6, 7], banned: [], why: 'the last two did not occur before' },
    { n: 2, prompt: [], output: [1, 2, 1, 3, 1], banned: [2, 3], why: 'every follower' },
    { n: 2, prompt: [], output: [4, 4], banned: [4], why: 'occurrences may overlap' },
    { n: 3, prompt: [], output: [4, 4, 4], banned: [4], why: 'occurrences may overlap' },
    { n: 1, prompt: [5], output: [6, 5], banned: [5, 6], why: 'every id that occurred' },
    { n: 1, prompt: [], output: [], banned: [], why: 'nothing occurred' },
    { n: 0, prompt: [5], output: [6, 5], banned: [], why: 'off' },
    { n: 40, prompt: [5], output: [6, 5], banned: [], why: 'longer than the history' },
  ])('n = $n after $prompt and $output bans $banned: $why', ({ n, prompt, output, banned }) => {
    const step = new NoRepeatNgram({ n });
    const logits = [1, 2, 3, 4, 5, 6, 7, 8];
    expectSameBits(logitsAfter(step, logits, { prompt, output }), without(logits, banned));
    expect(step.active).toBe(n > 0);
  });

  agreesWithPlainArrays((random) => {
    const n = random.below(5);
    return {
      step: new NoRepeatNgram({ n }),
      rule: (l, { prompt, output }) => {
        const ids = [...prompt, ...output];
        const grams = ids.map((_, i) => ids.slice(i, i + n)).filter((gram) => gram.length === n);
        const tail = n > 0 && ids.length >= n - 1 ? ids.slice(ids.length - (n - 1)).join() : undefined;
        const repeats = grams.filter((gram) => gram.slice(0, -1).join() === tail);
        return n === 0 ? [...l] : without(l, n === 1 ? ids : repeats.map((gram) => gram.at(-1) as number));
      },
    };
  });

  it('refuses where nothing would be left, and changes nothing', () => {
    expectUnchanged(
      new NoRepeatNgram({ n: 1 }),
      [0, M, 0],
      'NoRepeatNgram: `n` must be such that at least one of the kept ids remains, got 1',
      { prompt: [0, 1], output: [2] },
    );
  });

  it('never lets an n-gram come twice, sampled or forced', () => {
    const sampler = createSampler({ seed: 4 }, { prompt: [1, 2, 1], before: [new NoRepeatNgram({ n: 3 })] });
    const logits = Float32Array.from({ length: 6 }, (_, id) => id / 4);
    for (let i = 0; i < 60; i++)
      if (i % 10 === 5) sampler.accept(i % 6);
      else sampler.sample(logits);
    const ids = [...sampler.history.prompt, ...sampler.history.output];
    const sampled = ids.map((_, i) => i).filter((i) => i >= 3 && (i - 3) % 10 !== 5);
    for (const end of sampled) {
      const gram = ids.slice(end - 2, end + 1).join();
      for (let at = 2; at < end; at++) expect(ids.slice(at - 2, at + 1).join()).not.toBe(gram);
    }
  });

  it('is part of chains as data', () => {
    const data = [{ use: 'no-repeat-ngram', n: 3 }, { use: 'logprobs' }];
    expect(createChain(JSON.parse(JSON.stringify(createChain(data).toData()))).toData()).toEqual(data);
  });
});
