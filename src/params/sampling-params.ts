/**
 * The parameters of a request, under the names that request bodies of OpenAI, Hugging Face and vLLM have for them. The
 * values are stricter than theirs: a `stop` that is a text, a `logprobs` of true, a negative seed and null are refused.
 */
import { listOf } from '../../processors/list-schema.js';
import { checkOptions, integerFrom } from '../../processors/schema.js';
import * as z from '../../processors/zod.js';
import { isSeed, SEED_DOMAIN, type Seed } from '../random/seed.js';
import { type PolicyParamsInput, policyShape } from './policy-params.js';

const TEXT = 'a non-empty string';
/** A text that ends the text. */
export const stopString = z.string({ error: TEXT }).check(z.minLength(1, { error: TEXT }));

/** A seed of a request. */
export function seed(): z.ZodMiniType<Seed, Seed> {
  return z.custom<Seed>(isSeed, { error: SEED_DOMAIN }).check(z.describe(SEED_DOMAIN));
}

/** The one schema: checks, types, defaults, error texts and command-line flags come from it. */
export const samplingParamsSchema = z.strictObject({
  ...policyShape,
  seed: z.optional(seed()),
  max_tokens: z._default(integerFrom(1), 128),
  stop: z._default(listOf(stopString, 'an array of non-empty strings'), () => Object.freeze([])),
  logprobs: z._default(integerFrom(0), 0),
});

/** What a caller gives: every field may be left out. Each says what it must be and its default, for editors to show. */
export interface SamplingParamsInput extends PolicyParamsInput {
  /**
   * Repeats a run. An integer in [0, 2^53) or a bigint in [0, 2^64); without one, a seed is chosen from the platform's
   * cryptographic randomness and reported.
   */
  readonly seed?: Seed | undefined;
  /** The most tokens to generate. An integer >= 1; default 128. */
  readonly max_tokens?: number | undefined;
  /** Strings that end the text before their first occurrence. An array of non-empty strings; default []. */
  readonly stop?: readonly string[] | undefined;
  /** How many of the most likely ids to report with each token. An integer >= 0; default 0. */
  readonly logprobs?: number | undefined;
}

/** The fields of `T`, none left out. */
export type Complete<T> = { readonly [K in keyof T]-?: Exclude<T[K], undefined> };

/** Checked, complete and frozen; without a seed where none was given. */
export type SamplingParams = Complete<Omit<SamplingParamsInput, 'seed'>> & Pick<SamplingParamsInput, 'seed'>;

const CHECKED = new WeakSet<object>();

/**
 * The complete, frozen parameters; throws InvalidValueError naming the first that is wrong or unknown. Parameters that
 * were checked before are given back as they are.
 */
export function validate(params: SamplingParamsInput = {}): SamplingParams {
  if (CHECKED.has(params)) return params as SamplingParams; // false for what is no object
  const checked = checkOptions('SamplingParams', samplingParamsSchema, params);
  CHECKED.add(checked);
  return checked;
}
