import { describe, expect, it } from 'vitest';
import { createSampler, type SamplingParamsInput } from '../../src/index.js';
import {
  applyPenalties,
  processLogits,
  sample,
  sampledEntropy,
  samplingDistribution,
  tokenLogprobs,
  validate,
} from '../../src/spec.js';

const rng = {
  uniform(): number {
    throw new Error('a refused call drew');
  },
};

// biome-ignore lint/suspicious/noExplicitAny: wrong input on purpose
type Wrong = any;

/** Every function of the contract that takes logits. */
const FUNCTIONS: Record<string, (logits: Wrong, params?: Wrong, history?: Wrong, prompt?: Wrong) => unknown> = {
  applyPenalties: (...args) => applyPenalties(...withParams(args)),
  tokenLogprobs: (...args) => tokenLogprobs(...withParams(args)),
  processLogits: (...args) => processLogits(...withParams(args)),
  samplingDistribution: (...args) => samplingDistribution(...withParams(args)),
  sampledEntropy: (...args) => sampledEntropy(...withParams(args)),
  sample: (logits, params = {}, history = [], prompt = []) => sample(logits, params, history, rng, prompt),
};

function withParams([logits, params = {}, history = [], prompt = []]: Wrong[]): [Wrong, Wrong, Wrong, Wrong] {
  return [logits, params, history, prompt];
}

describe('test_params_are_validated', () => {
  it.each([
    { params: { top_p: 0 }, message: '`top_p` must be a number in (0, 1], got 0' },
    { params: { top_p: 1.1 }, message: '`top_p` must be a number in (0, 1], got 1.1' },
    { params: { min_p: 1.1 }, message: '`min_p` must be a number in [0, 1], got 1.1' },
    { params: { min_p: -0.1 }, message: '`min_p` must be a number in [0, 1], got -0.1' },
    { params: { top_k: -1 }, message: '`top_k` must be an integer >= 0, got -1' },
    { params: { top_k: 2.5 }, message: '`top_k` must be an integer >= 0, got 2.5' },
    { params: { temperature: -1 }, message: '`temperature` must be a finite number >= 0, got -1' },
    { params: { temperature: Number.NaN }, message: '`temperature` must be a finite number >= 0, got NaN' },
    { params: { temperature: Infinity }, message: '`temperature` must be a finite number >= 0, got Infinity' },
    { params: { repetition_penalty: 0 }, message: '`repetition_penalty` must be a finite number > 0, got 0' },
    { params: { presence_penalty: Infinity }, message: '`presence_penalty` must be a finite number, got Infinity' },
    { params: { frequency_penalty: Number.NaN }, message: '`frequency_penalty` must be a finite number, got NaN' },
    { params: { seed: -1 }, message: '`seed` must be an integer in [0, 2^53) or a bigint in [0, 2^64), got -1' },
    { params: { max_tokens: 0 }, message: '`max_tokens` must be an integer >= 1, got 0' },
    { params: { stop: [''] }, message: '`stop[0]` must be a non-empty string, got ""' },
    { params: { logprobs: -1 }, message: '`logprobs` must be an integer >= 0, got -1' },
  ])('$message', ({ params, message }) => {
    const refusal = `SamplingParams: ${message}`;
    expect(() => validate(params)).toRefuse(refusal);
    expect(() => createSampler(params)).toRefuse(refusal);
    for (const call of Object.values(FUNCTIONS)) expect(() => call([0, 1], params)).toRefuse(refusal);
  });

  it('refuses an unknown name', () => {
    const known =
      'temperature, top_k, top_p, min_p, repetition_penalty, presence_penalty, frequency_penalty, seed, max_tokens, stop, logprobs';
    const message = `SamplingParams: \`topP\` must be absent (did you mean \`top_p\`? the parameters are: ${known}), got 0.5`;
    expect(() => validate({ topP: 0.5 } as Wrong)).toRefuse(message);
    for (const call of Object.values(FUNCTIONS)) expect(() => call([0, 1], { topP: 0.5 })).toRefuse(message);
  });

  it.each<SamplingParamsInput>([
    { top_p: 5e-324 },
    { top_p: 1 },
    { min_p: 0 },
    { min_p: 1 },
    { repetition_penalty: 5e-324 },
    { presence_penalty: -2 },
    { frequency_penalty: -2 },
    { temperature: 0 },
    { top_k: 0 },
    { logprobs: 0 },
    { max_tokens: 1 },
    { seed: 2n ** 64n - 1n },
  ])('accepts the border, %o', (params) => {
    expect(validate(params)).toMatchObject(params);
  });

  it.each(Object.entries(FUNCTIONS))('%s refuses logits that are none', (owner, call) => {
    const kind = `${owner}: \`logits\` must be a Float32Array, a Float64Array or an array of numbers, got`;
    expect(() => call('1,2')).toRefuse(`${kind} "1,2"`);
    expect(() => call(undefined)).toRefuse(`${kind} undefined`);
    expect(() => call(null)).toRefuse(`${kind} null`);
    expect(() => call(3)).toRefuse(`${kind} 3`);
    expect(() => call({ length: 2, 0: 1, 1: 2 })).toRefuse(`${kind} { 0: 1, 1: 2, length: 2 }`);
    expect(() => call(new Int32Array(2))).toRefuse(`${kind} Int32Array(2)`);
    expect(() => call([])).toRefuse(`${owner}: \`logits\` must be not empty, got []`);
    expect(() => call(new Float32Array(0))).toRefuse(`${owner}: \`logits\` must be not empty, got Float32Array(0)`);
  });

  it.each(Object.entries(FUNCTIONS))('%s refuses logits with an entry that is none', (owner, call) => {
    const entry = (i: number, got: string) =>
      `${owner}: \`logits[${i}]\` must be a finite number or -Infinity, got ${got}`;
    expect(() => call([0, Number.NaN])).toRefuse(entry(1, 'NaN'));
    expect(() => call(Float32Array.of(0, 1, Number.NaN))).toRefuse(entry(2, 'NaN'));
    expect(() => call([Infinity, 0])).toRefuse(entry(0, 'Infinity'));
    expect(() => call(Float64Array.of(0, Infinity))).toRefuse(entry(1, 'Infinity'));
    expect(() => call([0, '1'])).toRefuse(entry(1, '"1"'));
    expect(() => call([[0, 1]])).toRefuse(entry(0, '[0, 1]'));
    expect(() => call([1, null])).toRefuse(entry(1, 'null'));
    expect(() => call([1, 2n])).toRefuse(entry(1, '2n'));
    expect(() => call(Array(3))).toRefuse(entry(0, 'undefined'));
  });

  it.each(Object.entries(FUNCTIONS))('%s refuses logits that are all masked', (owner, call) => {
    const message = `${owner}: \`logits\` must be finite for at least one id, got "-Infinity everywhere"`;
    expect(() => call([-Infinity, -Infinity])).toRefuse(message);
    expect(() => call(new Float32Array(3).fill(-Infinity))).toRefuse(message);
  });

  it.each(Object.entries(FUNCTIONS))('%s refuses ids outside the vocabulary', (owner, call) => {
    expect(() => call([0, 1], {}, [2])).toRefuse(`${owner}: \`history[0]\` must be an integer in [0, 2), got 2`);
    expect(() => call([0, 1], {}, [0, 7])).toRefuse(`${owner}: \`history[1]\` must be an integer in [0, 2), got 7`);
    expect(() => call([0, 1], {}, [], [1, 3])).toRefuse(`${owner}: \`prompt[1]\` must be an integer in [0, 2), got 3`);
    expect(() => call([0, 1], {}, [-1])).toRefuse(`${owner}: \`history[0]\` must be an integer >= 0, got -1`);
    expect(() => call([0, 1], {}, [], [0.5])).toRefuse(`${owner}: \`prompt[0]\` must be an integer >= 0, got 0.5`);
    expect(() => call([0, 1], {}, ['1'])).toRefuse(`${owner}: \`history[0]\` must be an integer >= 0, got "1"`);
    expect(() => call([0, 1], {}, [Number.NaN])).toRefuse(`${owner}: \`history[0]\` must be an integer >= 0, got NaN`);
    expect(() => call([0, 1], {}, 'ab')).toRefuse(`${owner}: \`history\` must be an array of token ids, got "ab"`);
    expect(() => call([0, 1], {}, [], 3)).toRefuse(`${owner}: \`prompt\` must be an array of token ids, got 3`);
    expect(() => call([0, 1], {}, [1, 0], [1])).not.toThrow('must be');
  });

  it.each([
    {
      params: { repetition_penalty: 1e-300 },
      message: 'RepetitionPenalty (step 1 of 6): `penalty` must be large enough that no logit overflows, got 1e-300',
    },
    {
      params: { presence_penalty: -1.7e308 },
      message:
        'PresenceFrequency (step 2 of 6): `presence` must be small enough that no logit overflows, got -1.7e+308',
    },
    {
      params: { frequency_penalty: -1.7e308, presence_penalty: -1 },
      message:
        'PresenceFrequency (step 2 of 6): `frequency` must be small enough that no logit overflows, got -1.7e+308',
    },
    {
      params: { temperature: 1e-300 },
      message: 'Temperature (step 3 of 6): `temperature` must be large enough that no logit overflows, got 1e-300',
    },
  ])('refuses a finite value that overflows a logit: $params', ({ params, message }) => {
    const logits = [1e308, 1];
    expect(() => sample(logits, params, [0], rng)).toRefuse(message);
    expect(() => samplingDistribution(logits, params, [0])).toRefuse(message);
    expect(() => processLogits(logits, params, [0])).toRefuse(message);
  });

  it('refuses penalties and temperatures that leave no id above -Infinity', () => {
    expect(() => processLogits([-1e300], { repetition_penalty: 1e300 }, [0])).toThrow('must be');
    expect(() => processLogits([-1e308, -Infinity], { presence_penalty: 1.7e308 }, [0])).toThrow('must be');
    expect(() => processLogits([-1e300, -1e301], { temperature: 1e-300 })).toRefuse(
      'Temperature (step 3 of 6): `temperature` must be large enough that no logit overflows, got 1e-300',
    );
  });

  it('lets a logit sink to -Infinity, which removes its id', () => {
    expect(processLogits([-1e300, -1], { repetition_penalty: 1e300 }, [0])).toEqual(Float64Array.of(-Infinity, -1));
    expect(processLogits([-1e300, -1], { temperature: 1e-100 })).toEqual(Float64Array.of(-Infinity, -1e100));
    expect(processLogits([-1e308, -1], { presence_penalty: 1.7e308 }, [0])).toEqual(Float64Array.of(-Infinity, -1));
  });
});
