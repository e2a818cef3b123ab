/**
 * The public bug reports that show in one token: logits, parameters and a uniform in; the kept ids, q, the token, its
 * logprob and the most likely ids out, or a refusal.
 */
import { describe, expect, it } from 'vitest';
import type { Logits, Sampler } from '../../src/core.js';
import { InvalidValueError } from '../../src/index.js';
import { processLogits, sample, sampledEntropy, samplingDistribution } from '../../src/spec.js';
import { ScriptedUniforms } from '../support/scripted-uniforms.js';
import { type Check, cases, type TokenInput, type TokenValues, testName, toLogits } from './case-file.js';
import { differences } from './differences.js';
import { outcomeOfFunctions, outcomeOfSampler, samplerFor } from './token-outcome.js';

type TokenCheck = Check<TokenInput, TokenValues>;

/** For a check that names no uniform: both ends of [0, 1) and the middle. */
const ANY_U = [0, 0.5, 0.9999999999999999];

const tokenCases = cases.filter((one) => one.test === 'token');

for (const one of tokenCases) {
  describe(`${one.number} (${one.group})`, () => {
    for (const check of one.checks) {
      it(testName(one, check), () => (check.right.error === undefined ? holds(check) : refuses(check)));
    }
    if (one.together) it(`${testName(one)}: each row as when it runs alone`, () => holdTogether(one.checks));
  });
}

/** For each uniform and each type of logits, by the sampler and by the functions. */
function holds({ input, right }: TokenCheck): void {
  for (const u of uniformsOf(input)) {
    for (const logits of formsOf(input)) {
      const before = [...logits];
      const outcome = outcomeOfSampler(samplerFor(input, new ScriptedUniforms(u)), input, logits);
      expect(differences(right, outcome), `u ${u}, ${logits.constructor.name}`).toEqual([]);
      expect(outcome.draws).toBe(u.length);
      expect(outcome.q[outcome.id]).toBeGreaterThan(0);
      if (!input.mask) expect(outcomeOfFunctions(input, logits, new ScriptedUniforms(u))).toEqual(outcome);
      expect([...logits]).toEqual(before);
    }
  }
}

/** Nothing is drawn and nothing enters the history. */
function refuses({ input, right }: TokenCheck): void {
  const { params = {}, history = [], prompt = [] } = input;
  for (const logits of formsOf(input)) {
    const uniforms = new ScriptedUniforms(ANY_U);
    const calls: Readonly<Record<string, () => unknown>> = {
      sample: () => sample(logits, params, history, uniforms, prompt),
      processLogits: () => processLogits(logits, params, history, prompt),
      samplingDistribution: () => samplingDistribution(logits, params, history, prompt),
      sampledEntropy: () => sampledEntropy(logits, params, history, prompt),
      sampler: () => samplerFor(input, uniforms).sample(logits),
    };
    for (const [name, call] of Object.entries(calls)) expectRefusal(call, right, `${name}, ${logits.constructor.name}`);
    expect(uniforms.taken).toBe(0);
    expectUnmoved(input, logits);
  }
}

/** Where a sampler can be made at all, the refused token changes nothing: the next one is the first. */
function expectUnmoved(input: TokenInput, logits: Logits): void {
  const uniforms = new ScriptedUniforms([0.5]);
  let sampler: Sampler;
  try {
    sampler = samplerFor(input, uniforms);
  } catch {
    return;
  }
  expect(() => sampler.sample(logits)).toThrow(InvalidValueError);
  expect([sampler.draws, uniforms.taken]).toEqual([0, 0]);
  expect(sampler.history.output).toEqual(input.history ?? []);
  expect(sampler.vocabSize).toBeUndefined();
}

function expectRefusal(call: () => unknown, right: TokenValues, how: string): void {
  let thrown: unknown;
  try {
    thrown = { instead: call() };
  } catch (error) {
    thrown = error;
  }
  expect(thrown, how).toBeInstanceOf(InvalidValueError);
  const { parameter, value, message } = thrown as InvalidValueError;
  expect(parameter, how).toBe(right.error);
  expect(message).toContain(`\`${right.error}\` must be `);
  if (right.value !== undefined) expect(value).toBe(right.value);
}

/** All samplers first, then a token of each, in this order and in the other. */
function holdTogether(checks: readonly TokenCheck[]): void {
  for (const order of [checks, [...checks].reverse()]) {
    const requests = order.map(({ input, right }) => {
      const u = uniformsOf(input)[0] as readonly number[];
      return { input, right, u, sampler: samplerFor(input, new ScriptedUniforms(u)), logits: toLogits(input.logits) };
    });
    for (const { input, right, u, sampler, logits } of requests) {
      const outcome = outcomeOfSampler(sampler, input, logits);
      expect(differences(right, outcome)).toEqual([]);
      expect(outcome).toEqual(outcomeOfSampler(samplerFor(input, new ScriptedUniforms(u)), input, logits));
    }
  }
}

/** The uniforms of each run: one, or none for a greedy token. */
function uniformsOf({ params, u = ANY_U }: TokenInput): readonly (readonly number[])[] {
  if (params?.temperature === 0) return [[]];
  return [u].flat().map((one) => [one as number]);
}

/** The logits in each type that holds them exactly. */
function formsOf(input: TokenInput): Logits[] {
  const logits = toLogits(input.logits);
  const forms: Logits[] = [logits, Float64Array.from(logits)];
  return logits.every((x) => Object.is(Math.fround(x), x)) ? [...forms, Float32Array.from(logits)] : forms;
}
