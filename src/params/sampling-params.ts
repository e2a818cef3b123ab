/**
 * The parameters of a request, under the names that request bodies of OpenAI, Hugging Face and vLLM have for them. The
 * values are stricter than theirs: a `stop` that is a text, a `logprobs` of true, a negative seed and null are refused.
 */
import { listOf } from '../../processors/list-schema.js';
import {
  checkOptions,
  finite,
  integerFrom,
  nonNegative,
  positive,
  positiveShare,
  share,
} from '../../processors/schema.js';
import * as z from '../../processors/zod.js';
import { isSeed, SEED_DOMAIN, type Seed } from '../random/seed.js';

const TEXT = 'a non-empty string';
/** A text that ends the text. */
export const stopString = z.string({ error: TEXT }).check(z.minLength(1, { error: TEXT }));

/** A seed of a request. */
export function seed(): z.ZodMiniType<Seed, Seed> {
  return z.custom<Seed>(isSeed, { error: SEED_DOMAIN }).check(z.describe(SEED_DOMAIN));
}

/** The one schema: checks, types, defaults, error texts and command-line flags come from it. */
export const samplingParamsSchema = z.strictObject({
  temperature: z._default(nonNegative(), 1),
  top_k: z._default(integerFrom(0), 0),
  top_p: z._default(positiveShare(), 1),
  min_p: z._default(share(), 0),
  repetition_penalty: z._default(positive(), 1),
  presence_penalty: z._default(finite(), 0),
  frequency_penalty: z._default(finite(), 0),
  seed: z.optional(seed()),
  max_tokens: z._default(integerFrom(1), 128),
  stop: z._default(listOf(stopString, 'an array of non-empty strings'), () => Object.freeze([])),
  logprobs: z._default(integerFrom(0), 0),
});

/** What a caller gives: every field may be left out. Each says what it must be and its default, for editors to show. */
export interface SamplingParamsInput {
  /**
   * T: divides the logits, below 1 to sharpen and above 1 to flatten. A finite number >= 0; default 1, which is off; 0 is
   * greedy.
   */
  readonly temperature?: number | undefined;
  /** k: keeps the k most likely ids. An integer >= 0; default 0, which is off. */
  readonly top_k?: number | undefined;
  /** p: keeps the fewest of the most likely ids that together reach p. A number in (0, 1]; default 1, which is off. */
  readonly top_p?: number | undefined;
  /** m: keeps the ids at least m times as likely as the most likely one. A number in [0, 1]; default 0, which is off. */
  readonly min_p?: number | undefined;
  /**
   * r: divides the logits above 0 of ids that occurred in prompt or output, and multiplies the others; above 1 makes
   * them less likely. A finite number > 0; default 1, which is off.
   */
  readonly repetition_penalty?: number | undefined;
  /**
   * a_p: taken from the logits of ids that were generated. A finite number; default 0, which is off; below 0 encourages
   * them.
   */
  readonly presence_penalty?: number | undefined;
  /**
   * a_f: taken once for each time that an id was generated. A finite number; default 0, which is off; below 0 encourages
   * them.
   */
  readonly frequency_penalty?: number | undefined;
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
