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
const stopString = z.string({ error: TEXT }).check(z.minLength(1, { error: TEXT }));

/** A seed of a request. */
export function seed(): z.ZodMiniType<Seed, Seed> {
  return z.custom<Seed>(isSeed, { error: SEED_DOMAIN }).check(z.describe(SEED_DOMAIN));
}

/** The one schema: checks, types, defaults, error texts and command-line flags come from it. */
export const samplingParamsSchema = z.strictObject({
  /** T; 0 is greedy, 1 is off. */
  temperature: z._default(nonNegative(), 1),
  /** k; 0 is off. */
  top_k: z._default(integerFrom(0), 0),
  /** p in (0, 1]; 1 is off. */
  top_p: z._default(positiveShare(), 1),
  /** m in [0, 1], a share of the largest probability; 0 is off. */
  min_p: z._default(share(), 0),
  /** r; 1 is off. */
  repetition_penalty: z._default(positive(), 1),
  /** a_p, in logit units; 0 is off. */
  presence_penalty: z._default(finite(), 0),
  /** a_f, in logit units for each occurrence; 0 is off. */
  frequency_penalty: z._default(finite(), 0),
  /** Any u64. None: one is chosen from the platform's cryptographic randomness and reported. */
  seed: z.optional(seed()),
  /** The most tokens to generate. */
  max_tokens: z._default(integerFrom(1), 128),
  /** Strings that end the text before their first occurrence. */
  stop: z._default(listOf(stopString, 'an array of non-empty strings'), () => Object.freeze([])),
  /** How many of the most likely ids to report with each token. */
  logprobs: z._default(integerFrom(0), 0),
});

/** What a caller gives: every field may be left out. */
export type SamplingParamsInput = Readonly<
  Omit<z.input<typeof samplingParamsSchema>, 'stop'> & { stop?: readonly string[] | undefined }
>;

/** Checked, complete and frozen. */
export type SamplingParams = Readonly<
  Omit<z.output<typeof samplingParamsSchema>, 'stop'> & { readonly stop: readonly string[] }
>;

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
