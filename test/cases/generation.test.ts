/**
 * The public bug reports of fixtures/public-bugs/generation.json, which says what its fields mean: faults that show in whole
 * requests, side by side and alone.
 */
import { readFileSync } from 'node:fs';
import { ContainerModule } from 'inversify';
import { describe, expect, it } from 'vitest';
import { createContainer, PARTS } from '../../src/container/index.js';
import type { GenerationParamsInput } from '../../src/decode/generation-params.js';
import { generateChoices, generateMany } from '../../src/decode/run/generate-many.js';
import {
  type GenerateOptions,
  type GenerateResult,
  InvalidValueError,
  type LanguageModel,
  type Tokenizer,
} from '../../src/index.js';
import { ScriptedUniforms } from '../support/scripted-uniforms.js';
import { StrictModel } from '../support/strict-model.js';

interface RowValues {
  readonly ids?: readonly number[];
  readonly logprobs?: readonly number[];
  readonly top?: readonly (readonly number[])[];
  readonly bytes?: readonly (readonly number[])[];
  readonly text?: string;
  readonly error?: string;
  readonly value?: number;
}

interface Row {
  readonly logits?: readonly number[];
  readonly steps?: readonly (readonly number[])[];
  readonly params?: GenerationParamsInput;
  readonly keys?: 'map of numbers' | 'map of strings';
  readonly u?: readonly number[];
  readonly pieces?: readonly (readonly number[])[];
  readonly right: RowValues;
  readonly fault?: string | RowValues;
}

interface RowsCase {
  readonly number: string;
  readonly behaviour: string;
  readonly rows: readonly Row[];
}

interface StreamsCase extends Omit<RowsCase, 'rows'> {
  readonly input: {
    readonly zeros: number;
    readonly steps: number;
    readonly seeds: readonly (number | null)[];
    readonly n?: number;
    readonly runs: number;
  };
}

const FILE = new URL('../../fixtures/public-bugs/generation.json', import.meta.url);
const { cases, streams } = JSON.parse(readFileSync(FILE, 'utf8')) as {
  cases: readonly RowsCase[];
  streams: readonly StreamsCase[];
};

for (const one of cases) {
  describe(one.number, () => {
    it(`${one.number} ${one.behaviour}: side by side`, async () => {
      const results = await run(one.rows);
      for (const [i, row] of one.rows.entries()) expectRow(row, results[i]);
    });

    it(`${one.number} ${one.behaviour}: alone`, async () => {
      for (const row of one.rows) expectRow(row, (await run([row]))[0]);
    });

    it(`${one.number} the fault would show`, () => {
      const faults = one.rows.filter(({ fault }) => fault !== undefined);
      expect(faults.length).toBeGreaterThan(0);
      for (const { right, fault } of faults)
        if (typeof fault === 'object') expect({ ...right, ...fault }).not.toEqual(right);
    });
  });
}

describe('B30', () => {
  const { number, behaviour, input } = stream('B30');

  it(`${number} ${behaviour}, and the unseeded one others each time`, async () => {
    const [seed] = input.seeds as [number];
    const params = { max_tokens: input.steps };
    const requests = [
      { prompt: [0], params: { ...params, seed } },
      { prompt: [0], params },
    ];
    const runs = [];
    for (let i = 0; i < input.runs; i++) runs.push(await idsOf(requests));
    const [alone] = await idsOf(requests.slice(0, 1));
    for (const [seeded] of runs) expect(seeded).toEqual(alone);
    expect(new Set(runs.map(([_, unseeded]) => String(unseeded))).size).toBe(input.runs);
  });

  async function idsOf(requests: Parameters<typeof generateMany>[2]): Promise<(readonly number[])[]> {
    const results = await generateMany(flat(input.zeros), nothing(input.zeros), requests);
    return results.map((result) => (result as PromiseFulfilledResult<GenerateResult>).value.ids);
  }
});

describe('B38', () => {
  const { number, behaviour, input } = stream('B38');
  const [seed, refused] = input.seeds as [number, number];
  const choose = (from: number) =>
    generateChoices(flat(input.zeros), nothing(input.zeros), [0], { n: input.n, seed: from, max_tokens: input.steps });

  it(`${number} ${behaviour}`, async () => {
    const runs = [];
    for (let i = 0; i < input.runs; i++) runs.push((await choose(seed)).map(({ ids }) => String(ids)));
    expect(new Set(runs[0]).size).toBe(input.n);
    for (const choices of runs) expect(choices).toEqual(runs[0]);
  });

  it(`${number} a negative seed is refused, naming seed`, () => {
    expect(() => choose(refused)).toThrow('GenerationParams: `seed` must be an integer in [0, 2^53)');
  });
});

function stream(number: string): StreamsCase {
  return streams.find((one) => one.number === number) as StreamsCase;
}

/** Each row on its own logits: the model tells the rows apart by the length of their prompts. */
function run(rows: readonly Row[]): PromiseLike<readonly PromiseSettledResult<GenerateResult>[]> {
  const [{ logits, steps, pieces } = {} as Row] = rows;
  const vocabSize = (logits ?? steps?.[0] ?? []).length;
  const model = modelOf(vocabSize, (at, row) => rows[row]?.steps?.[at] ?? rows[row]?.logits ?? []);
  const tokenizer = { ...nothing(vocabSize), tokenBytes: (id: number) => Uint8Array.from(pieces?.[id] ?? []) };
  return generateMany(
    model,
    tokenizer,
    rows.map((row, i) => ({
      prompt: new Array<number>(i + 1).fill(0),
      params: paramsOf(row),
      options: optionsOf(row),
    })),
  );
}

function modelOf(vocabSize: number, logitsOf: (at: number, row: number) => readonly number[]): LanguageModel {
  const logitsAfter = (ids: readonly number[], first: number) => logitsOf(ids.length - first, first - 1);
  return new StrictModel({ vocabSize, contextLength: 64, logitsAfter });
}

function flat(vocabSize: number): LanguageModel {
  const zeros = new Array<number>(vocabSize).fill(0);
  return modelOf(vocabSize, () => zeros);
}

function nothing(vocabSize: number): Tokenizer {
  return { vocabSize, encode: () => [0], tokenBytes: () => new Uint8Array() };
}

function paramsOf({ params = {}, keys }: Row): GenerationParamsInput {
  const bias = Object.entries(params.logit_bias ?? {});
  if (keys === undefined) return { max_tokens: 2, ...params };
  const entries = bias.map(([id, value]) => [keys === 'map of strings' ? id : Number(id), value] as const);
  return { max_tokens: 2, ...params, logit_bias: new Map<number | string, number>(entries) };
}

/** The uniforms of the row and no more. */
function optionsOf({ u = [] }: Row): GenerateOptions {
  const module = new ContainerModule(({ rebind }) => {
    rebind(PARTS.uniforms).toConstantValue(() => new ScriptedUniforms(u));
  });
  return { container: createContainer(module) };
}

function expectRow({ right }: Row, result: PromiseSettledResult<GenerateResult> | undefined): void {
  if (result === undefined) throw new Error('no result');
  if (right.error !== undefined) {
    expect(result).toMatchObject({ status: 'rejected', reason: { parameter: right.error, value: right.value } });
    expect((result as PromiseRejectedResult).reason).toBeInstanceOf(InvalidValueError);
    return;
  }
  if (result.status === 'rejected') throw result.reason;
  const { ids, logprobs, text, topLogprobs = [] } = result.value;
  expect(ids).toEqual(right.ids);
  for (const [i, logprob] of (right.logprobs ?? []).entries()) expect(logprobs[i]).toBeCloseTo(logprob, 8);
  if (right.top !== undefined) expect(topLogprobs.map((top) => top.map(({ id }) => id))).toEqual(right.top);
  if (right.bytes !== undefined) {
    expect(topLogprobs.map((top, i) => top.find(({ id }) => id === ids[i])?.bytes)).toEqual(right.bytes);
  }
  if (right.text !== undefined) expect(text).toBe(right.text);
}
