import { describe, expect, it } from 'vitest';
import { detectGreenList, GreenList } from '../../../processors/index.js';
import { CandidateSet } from '../../../src/core.js';
import { createChain, createSampler } from '../../../src/index.js';
import { Pcg32 } from '../../../src/random/index.js';
import { expectSameBits } from '../../support/bits.js';
import { logitsAfter, stepContext } from '../masks/plain-masks.js';
import { REFERENCE, roundedScore } from './reference.js';

const M = -Infinity;
const { green, scores } = REFERENCE;

/** Which of V ids the step makes likelier behind `output`. */
function greenIds(options: object, V: number, output: readonly number[]): string {
  const after = logitsAfter(new GreenList({ key: 1, bias: 1, ...options }), new Array(V).fill(0), { output });
  return Array.from(after, (l) => (l > 0 ? '1' : '0')).join('');
}

function text(seed: number, options: object | undefined, count = 300): number[] {
  const random = new Pcg32(seed, 3);
  const data = [{ use: 'logprobs' }, ...(options === undefined ? [] : [{ use: 'green-list', ...options }])];
  const sampler = createSampler({ seed }, { chain: createChain(data) });
  return Array.from({ length: count }, () => {
    return sampler.sample(Float64Array.from({ length: 200 }, () => 4 * random.uniform())).id;
  });
}

describe('GreenList', () => {
  it.each(green.map((one, n) => ({ n, ...one })))('has the green ids of the transcription, case $n', (one) => {
    const { key, ratio, context } = one;
    expect(greenIds({ key, ratio, width: context.length }, 120, context)).toBe(one.green);
  });

  it('takes the last ids of prompt and output as the context', () => {
    const step = new GreenList({ key: 5, width: 2 });
    const logits = new Array(300).fill(0);
    const expected = logitsAfter(step, logits, { output: [8, 9] });
    expect(logitsAfter(step, logits, { prompt: [1, 8], output: [9] })).toEqual(expected);
    expect(logitsAfter(step, logits, { prompt: [8, 9] })).toEqual(expected);
    expect(logitsAfter(step, logits, { output: [9, 8] })).not.toEqual(expected);
  });

  it('does nothing with fewer ids than the width', () => {
    expect(greenIds({ width: 3 }, 100, [1, 2])).not.toContain('1');
    expect(greenIds({ width: 3 }, 100, [1, 2, 3])).toContain('1');
  });

  it('makes a share of the ids green that is the ratio', () => {
    const bits = greenIds({ ratio: 0.3 }, 100_000, [77]);
    expect(Math.abs(bits.replaceAll('0', '').length / 100_000 - 0.3)).toBeLessThan(0.01);
  });

  it('leaves masked ids masked, and is off with a bias of 0', () => {
    expect(logitsAfter(new GreenList({ key: 1, ratio: 0.99 }), [M, 0, M], { output: [4] })[0]).toBe(M);
    expect(new GreenList({ key: 1, bias: 0 }).active).toBe(false);
  });

  it('refuses where a logit would overflow, and changes nothing', () => {
    const step = new GreenList({ key: 1, ratio: 0.9999, bias: 1e308 });
    const message = 'GreenList: `bias` must be small enough that no logit overflows, got 1e+308';
    const before = [0, 1.5e308, 0, 1.5e308];
    const set = new CandidateSet();
    set.load(Float64Array.from(before));
    expect(() => step.process(set, stepContext({ output: [1] }))).toRefuse(message);
    expectSameBits(set.toLogits(), before);
  });

  it.each([
    [{}, 'GreenList: `key` must be an integer in [0, 2^53), got undefined'],
    [{ key: 2 ** 53 }, 'GreenList: `key` must be an integer in [0, 2^53), got 9007199254740992'],
    [{ key: 1, ratio: 0 }, 'GreenList: `ratio` must be a number in (0, 1), got 0'],
    [{ key: 1, ratio: 1 }, 'GreenList: `ratio` must be a number in (0, 1), got 1'],
    [{ key: 1, width: 0 }, 'GreenList: `width` must be an integer >= 1, got 0'],
    [{ key: 1, bias: -1 }, 'GreenList: `bias` must be a finite number >= 0, got -1'],
  ])('refuses the options %j', (options, message) => {
    expect(() => new GreenList(options as never)).toRefuse(message);
  });
});

describe('detectGreenList', () => {
  it.each(scores.map((one, n) => ({ n, ...one })))(
    'finds what the transcription finds, text $n',
    ({ ids, green: one }) => {
      const { score, ...options } = one;
      expect(roundedScore(detectGreenList(ids, options))).toEqual(roundedScore(score));
    },
  );

  it('scores marked text high, also where the prompt is cut off, and other text near 0', () => {
    const mark = { key: 15485863 };
    for (const seed of [1, 2, 3]) {
      expect(detectGreenList(text(seed, mark), mark).z).toBeGreaterThan(10);
      expect(detectGreenList(text(seed, mark).slice(200), mark).z).toBeGreaterThan(4);
      expect(Math.abs(detectGreenList(text(seed, undefined), mark).z)).toBeLessThan(3.5);
      expect(Math.abs(detectGreenList(text(seed, mark), { key: 15485864 }).z)).toBeLessThan(3.5);
    }
  });

  it('is about a standard normal on text without the mark', () => {
    const zs = Array.from({ length: 60 }, (_, key) => detectGreenList(text(9, undefined), { key, width: 2 }).z);
    const mean = zs.reduce((sum, z) => sum + z, 0) / zs.length;
    const variance = zs.reduce((sum, z) => sum + (z - mean) ** 2, 0) / zs.length;
    expect(Math.abs(mean)).toBeLessThan(0.5);
    expect(Math.abs(variance - 1)).toBeLessThan(0.6);
  });

  it('reads the text of its own width, ratio and key only', () => {
    const mark = { key: 3, ratio: 0.5, width: 2 };
    const ids = text(4, { ...mark, bias: 3 });
    expect(detectGreenList(ids, mark).z).toBeGreaterThan(8);
    expect(Math.abs(detectGreenList(ids, { ...mark, width: 3 }).z)).toBeLessThan(3.5);
  });

  it('scores an id behind the same context once, unless it is told otherwise', () => {
    const ids = [5, 6, 5, 6, 5, 6];
    expect(detectGreenList(ids, { key: 1 }).scored).toBe(2);
    expect(detectGreenList(ids, { key: 1, repeated: true }).scored).toBe(5);
  });

  it('finds nothing in a text that is not longer than the width', () => {
    expect(detectGreenList([1, 2], { key: 1, width: 2 })).toEqual({ scored: 0, green: 0, z: 0 });
    expect(detectGreenList(Int32Array.of(), { key: 1 })).toEqual({ scored: 0, green: 0, z: 0 });
  });

  it('finds the colour of an id far up as the step does', () => {
    const [V, step] = [40_000, new GreenList({ key: 6, bias: 1 })];
    const after = logitsAfter(step, new Array(V).fill(0), { output: [2] });
    for (const id of [0, 1, 3999, 4000, 4001, 4002, 20_001, 39_999]) {
      expect(detectGreenList([2, id], { key: 6 }).green, `${id}`).toBe(after[id]);
    }
    const alone = logitsAfter(
      step,
      Array.from({ length: V }, (_, id) => (id === 7 || id > 39_990 ? 0 : M)),
      { output: [2] },
    );
    for (let id = 39_991; id < V; id++) expect(alone[id]).toBe(after[id]);
  });

  it.each([
    [() => detectGreenList('text' as never, { key: 1 }), 'detectGreenList: `ids` must be an array of ids, got "text"'],
    [() => detectGreenList([0.5], { key: 1 }), 'detectGreenList: `ids[0]` must be an integer >= 0, got 0.5'],
    [() => detectGreenList([1], {} as never), 'detectGreenList: `key` must be an integer in [0, 2^53), got undefined'],
    [() => detectGreenList([1], { key: 1, bias: 2 } as never), /^detectGreenList: `bias` must be absent/],
  ])('refuses wrong arguments', (call, message) => {
    if (typeof message === 'string') expect(call).toRefuse(message);
    else expect(call).toThrow(message);
  });
});
