import { describe, expect, it } from 'vitest';
import { applyPenalties, sample, samplingDistribution, tokenLogprobs } from '../../src/spec.js';
import { expectSameBits } from '../support/bits.js';

describe('test_repetition_penalty_hf_semantics', () => {
  it.each([
    { l: 3, r: 2, expected: 1.5, why: 'a positive logit is divided' },
    { l: -3, r: 2, expected: -6, why: 'a negative logit is multiplied' },
    { l: 3, r: 0.5, expected: 6, why: 'r below 1 encourages a positive logit' },
    { l: -3, r: 0.5, expected: -1.5, why: 'r below 1 encourages a negative logit' },
    { l: 0, r: 2, expected: 0, why: 'zero stays zero' },
    { l: -0, r: 2, expected: -0, why: 'minus zero is multiplied, and keeps its sign' },
    { l: 5e-324, r: 4, expected: 0, why: 'the least positive logit is divided' },
    { l: -5e-324, r: 4, expected: -2e-323, why: 'the least negative logit is multiplied' },
    { l: -Infinity, r: 2, expected: -Infinity, why: 'a masked id stays masked' },
    { l: -Infinity, r: 0.5, expected: -Infinity, why: 'a masked id stays masked, whatever r' },
    { l: 1, r: 3, expected: 1 / 3, why: 'a division, whose bits are not those of a product with 1 / r' },
    { l: 5, r: 3, expected: 5 / 3, why: '5 / 3 and 5 * (1 / 3) differ in the last bit' },
  ])('$l with r = $r gives $expected: $why', ({ l, r, expected }) => {
    const params = { repetition_penalty: r };
    expectSameBits(applyPenalties([l, 1], params, [0]), [expected, 1]);
    expectSameBits(applyPenalties([l, 1], params, [], [0]), [expected, 1]);
  });

  it('looks at the prompt and at the output', () => {
    expectSameBits(applyPenalties([4, 4, 4, 4], { repetition_penalty: 2 }, [1], [2]), [4, 2, 2, 4]);
  });

  it.each([
    { history: [0, 0, 0], prompt: [], why: 'three times in the output' },
    { history: [], prompt: [0, 0], why: 'twice in the prompt' },
    { history: [0], prompt: [0], why: 'in the prompt and in the output' },
    { history: [0, 1, 0], prompt: [0, 0, 1], why: 'many times in both' },
  ])('penalizes an id once, however often it occurs: $why', ({ history, prompt }) => {
    expect(applyPenalties([8, 1], { repetition_penalty: 2 }, history, prompt)[0]).toBe(4);
    expect(applyPenalties([-8, 1], { repetition_penalty: 2 }, history, prompt)[0]).toBe(-16);
  });

  it('leaves every bit as it is with r = 1', () => {
    const l = [0.1, -0, -3.3, -Infinity];
    expectSameBits(applyPenalties(l, { repetition_penalty: 1 }, [0, 1, 2, 3], [0, 1, 2, 3]), l);
  });

  it('shows in the logprobs', () => {
    expectSameBits(tokenLogprobs([3, -1, 0], { repetition_penalty: 2 }, [0], [1]), tokenLogprobs([1.5, -2, 0], {}));
  });
});

describe('test_presence_and_frequency_openai_semantics', () => {
  it.each([
    { history: [], expected: 3, why: 'an id that was not generated is not penalized' },
    { history: [0], expected: 3 - 0.5 - 0.25, why: 'once' },
    { history: [0, 0], expected: 3 - 1 - 0.25, why: 'frequency counts, presence does not' },
    { history: [0, 1, 0, 0], expected: 3 - 1.5 - 0.25, why: 'three times, among others' },
  ])('$history gives $expected: $why', ({ history, expected }) => {
    const params = { presence_penalty: 0.25, frequency_penalty: 0.5 };
    expect(applyPenalties([3, 1], params, history)[0]).toBe(expected);
  });

  it('counts generated ids only, never the prompt', () => {
    const params = { presence_penalty: 0.5, frequency_penalty: 1 };
    expectSameBits(applyPenalties([3, 3, 3], params, [1], [0, 0, 1]), [3, 1.5, 3]);
    expectSameBits(applyPenalties([3, 3, 3], params, [], [0, 1, 2]), [3, 3, 3]);
  });

  it.each([
    { params: { presence_penalty: 0.5 }, expected: [2.5, 2.5, 3], why: 'presence alone' },
    { params: { frequency_penalty: 0.5 }, expected: [2, 2.5, 3], why: 'frequency alone' },
    { params: { presence_penalty: -0.5 }, expected: [3.5, 3.5, 3], why: 'a negative presence encourages' },
    { params: { frequency_penalty: -0.5 }, expected: [4, 3.5, 3], why: 'a negative frequency encourages' },
    { params: { presence_penalty: 1, frequency_penalty: -1 }, expected: [4, 3, 3], why: 'both, of opposite sign' },
  ])('$why', ({ params, expected }) => {
    expectSameBits(applyPenalties([3, 3, 3], params, [0, 1, 0]), expected);
  });

  it('penalizes a negative logit downwards too', () => {
    expect(applyPenalties([-3, 0], { presence_penalty: 1, frequency_penalty: 2 }, [0])[0]).toBe(-6);
  });

  it('evaluates (l - a_f * c) - a_p, in that order', () => {
    const [l, af, ap, c] = [1.1, 0.3, 0.3, 3];
    const spec = l - af * c - ap;
    const others = [l - (af * c + ap), l - ap - af * c, l - af - af - af - ap];
    for (const other of others) expect(other).not.toBe(spec);
    const params = { presence_penalty: ap, frequency_penalty: af };
    expect(applyPenalties([l, 0], params, [0, 0, 0])[0]).toBe(spec);
    expect(c).toBe(3);
  });

  it('leaves a masked id masked', () => {
    expectSameBits(applyPenalties([-Infinity, 1], { presence_penalty: 1 }, [0]), [-Infinity, 1]);
    expectSameBits(applyPenalties([-Infinity, 1], { presence_penalty: -1 }, [0]), [-Infinity, 1]);
  });

  it('shows in what is sampled', () => {
    const q = samplingDistribution([1, 1], { presence_penalty: 1 }, [0]);
    expect(q[0]).toBeLessThan(q[1] as number);
    expect(sample([1, 1], { presence_penalty: 1, temperature: 0 }, [0], { uniform: () => 0 }).id).toBe(1);
  });
});

describe('test_penalty_order', () => {
  it('puts repetition before presence: 3 / 2 - 1 = 0.5, and not (3 - 1) / 2 = 1', () => {
    const params = { repetition_penalty: 2, presence_penalty: 1 };
    expectSameBits(applyPenalties([3, 0], params, [0]), [0.5, 0]);
  });

  it('puts repetition before frequency', () => {
    const params = { repetition_penalty: 2, frequency_penalty: 0.5 };
    expectSameBits(applyPenalties([3, 0], params, [0, 0]), [0.5, 0]);
  });

  it('chooses between division and product by the logit before presence', () => {
    const params = { repetition_penalty: 2, presence_penalty: 2 };
    expectSameBits(applyPenalties([1, -1], params, [0, 1]), [-1.5, -4]);
  });
});
