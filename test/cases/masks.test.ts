/**
 * The public bug reports of fixtures/public-bugs/masks.json, which says what its fields mean; and those of cases.json that
 * have a mask, by the processors that Lockstep ships.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Constrained, constraintFrom, type LogitsProcessor, Mask, type TokenMask } from '../../processors/index.js';
import { CandidateSet, type ChainStepData, type Sampler, TokenHistory } from '../../src/core.js';
import { AllowedTokens, BannedTokens, createChain, createSampler, InvalidValueError } from '../../src/index.js';
import { exactNumerics } from '../../src/numerics/index.js';
import { cases, type LogitsData, type TokenInput, testName, toLogits } from './case-file.js';
import { differences } from './differences.js';
import { outcomeOfSampler } from './token-outcome.js';

interface MaskInput extends Omit<TokenInput, 'mask'> {
  readonly logits: LogitsData;
  readonly steps?: readonly ChainStepData[];
  readonly keys?: 'strings' | 'map of strings' | 'map of numbers';
  readonly mask?: {
    readonly words?: readonly number[];
    readonly booleans?: string;
    readonly allow?: readonly number[];
  };
  readonly language?: { readonly text: readonly number[]; readonly end: number };
  readonly requests?: number;
}

interface MaskValues {
  readonly biased?: readonly number[];
  readonly banned?: readonly number[];
  readonly id?: number;
  readonly logprob?: number;
  readonly ids?: readonly number[];
  readonly error?: string;
  readonly value?: number;
  readonly at?: 'step' | 'token' | 'request';
}

interface MaskCheck {
  readonly when?: string;
  readonly input: MaskInput;
  readonly right: MaskValues;
  readonly fault: string | MaskValues;
}

interface MaskCase {
  readonly number: string;
  readonly group: string;
  readonly kind: string;
  readonly addresses: readonly string[];
  readonly report: string;
  readonly behaviour: string;
  readonly checks: readonly MaskCheck[];
}

const file = new URL('../../fixtures/public-bugs/masks.json', import.meta.url);
const maskCases: readonly MaskCase[] = JSON.parse(readFileSync(file, 'utf8')).cases;

for (const one of maskCases) {
  describe(`${one.number} (${one.group})`, () => {
    for (const check of one.checks) {
      it(testName(one, check), () => (check.right.error === undefined ? holds(check) : refuses(check)));
    }

    it('can fail: what the faults give differs from what is right', () => {
      for (const { right, fault } of one.checks) {
        if (typeof fault === 'string') continue;
        const names = Object.keys(fault) as (keyof MaskValues)[];
        for (const name of names) expect(fault[name]).not.toEqual(right[name]);
      }
    });
  });
}

/** In each type that holds the logits. */
function rowsOf({ logits }: MaskInput): (number[] | Float32Array)[] {
  return [toLogits(logits), Float32Array.from(toLogits(logits))];
}

function holds({ input, right }: MaskCheck): void {
  for (const logits of rowsOf(input)) {
    const { prompt = [], history = [], params = {} } = input;
    const actual: Record<string, unknown> = right.ids === undefined ? scored(input, logits) : {};
    const sampler = createSampler({ seed: 1, ...params }, { prompt, history, before: stepsOf(input) });
    if (input.requests !== undefined) {
      const others = Array.from({ length: input.requests - 1 }, () => createSampler({}, { before: stepsOf(input) }));
      const all = inTurn(input, [sampler, ...others], logits);
      expect(all).toEqual(all.map(() => right.ids));
      continue;
    }
    const { id, logprob } = sampler.sample(logits);
    const ids = [id];
    while (ids.at(-1) !== input.language?.end && ids.length < (params.max_tokens ?? 1)) {
      ids.push(sampler.sample(logits).id);
    }
    const { logprob: expected = logprob, ...exact } = right;
    expect({ ...actual, id, ids }).toMatchObject(exact);
    expect(logprob).toBeCloseTo(expected, 8);
  }
}

/** The candidates after the steps alone. */
function scored(input: MaskInput, logits: number[] | Float32Array): Record<string, unknown> {
  const set = new CandidateSet();
  set.load(logits);
  const context = {
    history: new TokenHistory(input.prompt, input.history),
    numerics: exactNumerics,
    uniform: () => Number.NaN,
  };
  for (const step of stepsOf(input)) step.process(set, context);
  const biased = [...set.toLogits()];
  return { biased, banned: [...biased.keys()].filter((id) => biased[id] === -Infinity) };
}

function refuses({ input, right }: MaskCheck): void {
  const { params = {} } = input;
  for (const logits of rowsOf(input)) {
    const error =
      right.at === 'step'
        ? thrownBy(() => stepsOf(input))
        : right.at === 'request'
          ? refusedRequest(input, logits)
          : refusedToken(input, params, logits);
    expect(error).toBeInstanceOf(InvalidValueError);
    const { parameter, value, message } = error as InvalidValueError;
    expect([parameter, message]).toEqual([right.error, expect.stringContaining(`\`${right.error}\` must be `)]);
    if (right.value !== undefined) expect(value).toBe(right.value);
  }
}

/** The second request is refused, and the first goes on. */
function refusedRequest(input: MaskInput, logits: number[] | Float32Array): unknown {
  const before = stepsOf(input);
  const first = createSampler({ seed: 1 }, { before });
  const error = thrownBy(() => createSampler({ seed: 2 }, { before }));
  const { text, end } = input.language as NonNullable<MaskInput['language']>;
  for (const id of [...text, end]) expect(first.sample(logits).id).toBe(id);
  return error;
}

/** The ids of several requests, a token of each in turn, each until its end. */
function inTurn(
  { language, requests = 1, params = {} }: MaskInput,
  samplers: Sampler[],
  logits: number[] | Float32Array,
) {
  expect(samplers).toHaveLength(requests);
  for (let n = 0; n < (params.max_tokens ?? 1); n++) {
    for (const sampler of samplers) if (sampler.history.output.at(-1) !== language?.end) sampler.sample(logits);
  }
  return samplers.map(({ history }) => [...history.output]);
}

/** Nothing is drawn, nothing enters the history, and no logit changes. */
function refusedToken(input: MaskInput, params: object, logits: number[] | Float32Array): unknown {
  const sampler = createSampler({ seed: 1, ...params }, { before: stepsOf(input) });
  const error = thrownBy(() => sampler.sample(logits));
  expect([sampler.draws, sampler.history.output]).toEqual([0, []]);
  const set = new CandidateSet();
  set.load(logits);
  const context = { history: new TokenHistory(), numerics: exactNumerics, uniform: () => Number.NaN };
  thrownBy(() => {
    for (const step of stepsOf(input)) step.process(set, context);
  });
  expect([...set.toLogits()]).toEqual([...logits]);
  return error;
}

function thrownBy(call: () => unknown): unknown {
  try {
    return { instead: call() };
  } catch (error) {
    return error;
  }
}

/** The steps of a check, anew. */
function stepsOf({ steps = [], keys = 'strings', mask, language }: MaskInput): LogitsProcessor[] {
  const made = [...createChain(steps.map((step) => withKeys(step, keys))).steps];
  if (mask !== undefined) {
    const step = new Mask();
    step.set(maskOf(mask));
    made.push(step);
  }
  if (language !== undefined) {
    const { text, end } = language;
    made.push(new Constrained(constraintFrom((ids) => [text[ids.length] ?? end], [end])));
  }
  return made;
}

function withKeys(step: ChainStepData, keys: MaskInput['keys']): ChainStepData {
  if (step.bias === undefined || keys === 'strings') return step;
  const entries = Object.entries(step.bias as Record<string, number>);
  const bias = new Map<string | number, number>(entries);
  return { ...step, bias: keys === 'map of strings' ? bias : new Map(entries.map(([id, b]) => [Number(id), b])) };
}

function maskOf({ words, booleans, allow = [] }: NonNullable<MaskInput['mask']>): TokenMask {
  if (words !== undefined) return Int32Array.from(words);
  return booleans === undefined ? { allow } : [...booleans].map((digit) => digit === '1');
}

describe('the cases with a mask hold', () => {
  const withMask = cases.flatMap((one) => {
    if (one.test !== 'token') return [];
    return one.checks.filter(({ input }) => input.mask !== undefined).map((check) => ({ one, check }));
  });

  it('are those that they are', () => {
    expect(new Set(withMask.map(({ one }) => one.number))).toEqual(new Set(['B28', 'B47', 'B50', 'B51']));
  });

  for (const { one, check } of withMask) {
    it(`${testName(one, check)}, by what is shipped`, () => {
      const { input } = check;
      const { penalised: _, ...right } = check.right; // made with a mask of the test
      const { params, prompt = [], history = [] } = input;
      for (let seed = 0; seed < 5; seed++) {
        for (const before of shippedMasks(input)) {
          const sampler = createSampler({ ...params, seed }, { prompt, history, before: [before] });
          const outcome = outcomeOfSampler(sampler, input, toLogits(input.logits));
          expect(differences(right, outcome), before.name).toEqual([]);
        }
      }
    });
  }
});

/** The mask of `input`, made in each way. */
function shippedMasks({ mask }: TokenInput): LogitsProcessor[] {
  const { allow, ban } = mask ?? {};
  const form: TokenMask = allow === undefined ? { ban: ban ?? [] } : { allow };
  const fixed = new Mask();
  fixed.set(form);
  const told = { mask: () => form, advance: () => {}, isComplete: () => false, done: false };
  const constrained = new Constrained({ ...told, save: () => null, restore: () => {} });
  const tokens =
    allow === undefined ? new BannedTokens({ ids: [...(ban ?? [])] }) : new AllowedTokens({ ids: [...allow] });
  return [fixed, constrained, tokens];
}
