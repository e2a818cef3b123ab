/**
 * What an editor shows of a parameter: its docstring says the domain and the default that the schema has, and the types that
 * are written out have the fields and the values of the schema.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { domainOf } from '../../processors/domain-of.js';
import type * as z from '../../processors/zod.js';
import { type BeamParams, type BeamParamsInput, beamParamsSchema } from '../../src/decode/beams/beam-params.js';
import {
  type GenerationParams,
  type GenerationParamsInput,
  generationParamsSchema,
} from '../../src/decode/generation-params.js';
import {
  type SamplingParams,
  type SamplingParamsInput,
  samplingParamsSchema,
} from '../../src/params/sampling-params.js';

/** The docstring of each field that a file writes out, in one line and in small letters. */
function docsIn(path: string): Map<string, string> {
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const found = text.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*?)\*\/\s+readonly (\w+)\?:/g);
  const plain = (doc: string) =>
    doc
      .replace(/\s*\n\s*\* ?/g, ' ')
      .trim()
      .toLowerCase();
  return new Map([...found].map(([, doc, name]) => [name as string, plain(doc as string)]));
}

/** The steps that say the parameters of the policy. */
const STEPS = [
  ...['filters/top-k', 'filters/top-p', 'filters/min-p', 'shaping/temperature'],
  ...['penalties/repetition-penalty', 'penalties/presence-frequency'],
];
const POLICY = STEPS.flatMap((step) => [...docsIn(`processors/${step}.ts`)]);
const SAMPLING = new Map([...POLICY, ...docsIn('src/params/sampling-params.ts')]);
const GENERATION = new Map([...SAMPLING, ...docsIn('src/decode/generation-params.ts')]);
const SHARED = ['repetition_penalty', 'presence_penalty', 'frequency_penalty', 'stop_token_ids'];
const BEAMS = new Map([
  ...[...GENERATION].filter(([name]) => SHARED.includes(name)),
  ...docsIn('src/decode/beams/beam-params.ts'),
]);

describe.each([
  ['SamplingParams', samplingParamsSchema, SAMPLING],
  ['GenerationParams', generationParamsSchema, GENERATION],
  ['BeamParams', beamParamsSchema, BEAMS],
] as const)('what an editor shows of %s', (_, schema, docs) => {
  const defaults: Readonly<Record<string, unknown>> = schema.parse({});
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;

  it.each(Object.keys(shape))('says the domain and the default of %s', (name) => {
    const doc = docs.get(name) ?? '';
    expect(doc).toContain(domainOf(shape[name] as z.core.$ZodType).toLowerCase());
    const value = defaults[name];
    expect(doc).toContain(value === undefined ? 'without' : `default ${JSON.stringify(value)}`);
  });

  it('has no field that the schema does not know', () => {
    expect([...docs.keys()].filter((name) => !(name in shape))).toEqual([]);
  });
});

it('the types that are written out have the fields of the schemas', () => {
  expectTypeOf<keyof SamplingParamsInput>().toEqualTypeOf<keyof z.input<typeof samplingParamsSchema>>();
  expectTypeOf<keyof GenerationParamsInput>().toEqualTypeOf<keyof z.input<typeof generationParamsSchema>>();
  expectTypeOf<keyof BeamParamsInput>().toEqualTypeOf<keyof z.input<typeof beamParamsSchema>>();
  type Plain<T> = Omit<T, 'stop' | 'stop_token_ids' | 'logit_bias' | 'eos_token_id' | 'seed'>;
  type Of<T> = Readonly<Plain<T>>;
  expectTypeOf<Plain<SamplingParamsInput>>().toEqualTypeOf<Of<z.input<typeof samplingParamsSchema>>>();
  expectTypeOf<Plain<GenerationParamsInput>>().toEqualTypeOf<Of<z.input<typeof generationParamsSchema>>>();
  expectTypeOf<Plain<BeamParamsInput>>().toEqualTypeOf<Of<z.input<typeof beamParamsSchema>>>();
  expectTypeOf<Plain<SamplingParams>>().toEqualTypeOf<Of<z.output<typeof samplingParamsSchema>>>();
  expectTypeOf<Plain<GenerationParams>>().toEqualTypeOf<Of<z.output<typeof generationParamsSchema>>>();
  expectTypeOf<Plain<BeamParams>>().toEqualTypeOf<Of<z.output<typeof beamParamsSchema>>>();
});
