import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { detectSynthId, SynthId } from '../../../processors/index.js';
import { synthTable } from '../../../processors/watermarks/parts/synth-table.js';
import { createChain, createSampler } from '../../../src/index.js';
import { Pcg32 } from '../../../src/random/index.js';
import { hex } from '../../support/bits.js';
import { logitsAfter } from '../masks/plain-masks.js';
import { REFERENCE, roundedScore } from './reference.js';

const M = -Infinity;
const { synth, scores, table } = REFERENCE;
const KEYS = [654, 400, 836, 123, 340, 443, 597, 160, 57, 29, 590, 639, 13, 715, 468, 990, 966, 226, 324, 585];
const MARK = { keys: KEYS, ngram_len: 5 };

function text(seed: number, mark: object | undefined, count = 250): number[] {
  const random = new Pcg32(seed, 3);
  const data = [{ use: 'logprobs' }, ...(mark === undefined ? [] : [{ use: 'synth-id', ...mark }])];
  const sampler = createSampler({ seed }, { chain: createChain(data) });
  return Array.from({ length: count }, () => {
    return sampler.sample(Float64Array.from({ length: 60 }, () => 4 * random.uniform())).id;
  });
}

describe('SynthId', () => {
  it('has the table that torch makes on a CPU for the seed 0', () => {
    expect(createHash('sha256').update(synthTable()).digest('hex')).toBe(table);
    expect([...synthTable().subarray(0, 16)].join('')).toBe('0110111111100100');
    expect(synthTable()).toBe(synthTable());
  });

  it.each(synth.map((one, n) => ({ n, ...one })))('gives the logits of the transcription, text $n', (one) => {
    const { keys, ngram_len, history, skip, ids, rows, out } = one;
    const options = { keys, ngram_len, context_history_size: history, skip_first_ngram_calls: skip };
    const step = new SynthId(options);
    for (const [t, row] of rows.entries()) {
      const after = [...logitsAfter(step, row, { prompt: [9, 9, 9, 9], output: ids.slice(0, t) })];
      const expected = out[t] ?? row.map(hex).join(' ');
      expect(after.map(hex).join(' '), `token ${t}`).toBe(expected);
    }
  });

  it('removes what is left without probability, and keeps one id as it is', () => {
    const step = new SynthId({ keys: KEYS, ngram_len: 2 });
    expect([...logitsAfter(step, [M, 3, M])]).toEqual([M, 0, M]);
    const after = logitsAfter(step, [0, -900, M, 0.5]);
    expect([after[1], after[2]]).toEqual([M, M]);
    expect(Math.max(after[0] as number, after[3] as number)).toBeGreaterThan(M);
  });

  it('leaves the probabilities as they are on average over the keys', () => {
    const logits = [0, 1, 2, 0.5, 1.5];
    const mean = [0, 0, 0, 0, 0];
    for (let n = 0; n < 4000; n++) {
      const after = logitsAfter(new SynthId({ keys: [n, 7 * n + 1], ngram_len: 2 }), logits);
      after.forEach((l, id) => {
        mean[id] = (mean[id] as number) + Math.exp(l) / 4000;
      });
    }
    const total = logits.reduce((sum, l) => sum + Math.exp(l), 0);
    logits.forEach((l, id) => {
      expect(Math.abs((mean[id] as number) - Math.exp(l) / total)).toBeLessThan(0.02);
    });
  });

  it('is part of chains as data', () => {
    const data = [{ use: 'synth-id', keys: [1, 2], ngram_len: 5 }];
    const whole = { ...data[0], context_history_size: 1024, skip_first_ngram_calls: false };
    expect(createChain(data).toData()).toEqual([{ use: 'logprobs' }, whole]);
  });

  it.each([
    [{ ngram_len: 5 }, 'SynthId: `keys` must be a non-empty array of keys, got undefined'],
    [{ ...MARK, keys: [] }, 'SynthId: `keys` must be a non-empty array of keys, got []'],
    [{ ...MARK, keys: [1, -1] }, 'SynthId: `keys[1]` must be an integer in [0, 2^53), got -1'],
    [{ ...MARK, ngram_len: 1 }, 'SynthId: `ngram_len` must be an integer >= 2, got 1'],
    [{ ...MARK, context_history_size: 0 }, 'SynthId: `context_history_size` must be an integer >= 1, got 0'],
    [{ ...MARK, skip_first_ngram_calls: 1 }, 'SynthId: `skip_first_ngram_calls` must be true or false, got 1'],
  ])('refuses the options %j', (options, message) => {
    expect(() => new SynthId(options as never)).toRefuse(message);
  });
});

describe('detectSynthId', () => {
  it.each(scores.map((one, n) => ({ n, ...one })))(
    'finds what the transcription finds, text $n',
    ({ ids, synth: one }) => {
      const { score, history, ...mark } = one;
      expect(roundedScore(detectSynthId(ids, { ...mark, context_history_size: history }))).toEqual(roundedScore(score));
    },
  );

  it('scores marked text high and other text near 0', () => {
    for (const seed of [1, 2, 3]) {
      const marked = detectSynthId(text(seed, MARK), MARK);
      expect(marked.z).toBeGreaterThan(6);
      expect(marked.weighted_mean).toBeGreaterThan(marked.mean);
      expect(Math.abs(detectSynthId(text(seed, undefined), MARK).z)).toBeLessThan(4);
      expect(
        Math.abs(detectSynthId(text(seed, MARK), { ...MARK, keys: KEYS.map((key) => key + 1000) }).z),
      ).toBeLessThan(4);
    }
  });

  it('weighs one key as it is', () => {
    const { mean, weighted_mean } = detectSynthId(text(1, undefined, 40), { keys: [5], ngram_len: 2 });
    expect(weighted_mean).toBe(mean);
  });

  it('finds nothing in a text that is shorter than an n-gram', () => {
    expect(detectSynthId([1, 2, 3, 4], MARK)).toEqual({ scored: 0, mean: 0.5, weighted_mean: 0.5, z: 0 });
    expect(detectSynthId([1, 2, 3, 4, 5], MARK).scored).toBe(1);
  });

  it.each([
    [() => detectSynthId([-1], MARK), 'detectSynthId: `ids[0]` must be an integer >= 0, got -1'],
    [
      () => detectSynthId([1], { keys: [1] } as never),
      'detectSynthId: `ngram_len` must be an integer >= 2, got undefined',
    ],
  ])('refuses wrong arguments', (call, message) => {
    expect(call).toRefuse(message);
  });
});
