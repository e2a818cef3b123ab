/**
 * The parameters of a beam search, under their wire names: those of Hugging Face's `generate`, and `max_tokens`,
 * `min_tokens`, the penalties, the bias and the stops as elsewhere here.
 */

import { oneOrListOf } from '../../../processors/list-schema.js';
import type { Ids } from '../../../processors/plain-ids.js';
import {
  checkOptions,
  finite,
  flag,
  integerFrom,
  nonNegative,
  positive,
  positiveShare,
  share,
} from '../../../processors/schema.js';
import * as z from '../../../processors/zod.js';
import { seed } from '../../params/sampling-params.js';
import { type GenerationParams, type GenerationParamsInput, generationParamsSchema } from '../generation-params.js';

/** As `generate` has them. */
const { stop, stop_token_ids, logit_bias } = generationParamsSchema.shape;

const EARLY_DOMAIN = 'true, false or "never"';
const END_DOMAIN = 'an integer >= 0 or an array of them';

const early = z.union([z.boolean(), z.literal('never')], { error: EARLY_DOMAIN }).check(z.describe(EARLY_DOMAIN));

/** The one schema: checks, types, defaults and error texts come from it. */
export const beamParamsSchema = z.strictObject({
  /** k, the number of beams; 1 is greedy. */
  num_beams: z._default(integerFrom(1), 1),
  /** How many of the best sequences to give; at most `num_beams`. */
  num_return_sequences: z._default(integerFrom(1), 1),
  /** The most tokens of a sequence, its end id included. */
  max_tokens: z._default(integerFrom(1), 128),
  /** No end id before so many tokens. */
  min_tokens: z._default(integerFrom(0), 0),
  /** The exponent of the length that the logprob is divided by: 0 is off, above 0 favours longer sequences. */
  length_penalty: z._default(finite(), 1),
  /** When to stop, by Hugging Face's rules; see `HfRules`. */
  early_stopping: z._default(early, false),
  /** No run of so many ids twice, the prompt included; 0 is off. */
  no_repeat_ngram_size: z._default(integerFrom(0), 0),
  /** r; 1 is off. */
  repetition_penalty: z._default(positive(), 1),
  /** a_p; 0 is off. */
  presence_penalty: z._default(finite(), 0),
  /** a_f, for each occurrence; 0 is off. */
  frequency_penalty: z._default(finite(), 0),
  /** Groups of equally many beams, kept apart by `diversity_penalty`; 1 is off. */
  num_beam_groups: z._default(integerFrom(1), 1),
  /** Taken from the logprob of an id for each beam of an earlier group that chose it at this step. */
  diversity_penalty: z._default(nonNegative(), 0),
  /** Whether continuations are drawn instead of ranked. */
  do_sample: z._default(flag(), false),
  /** T, with `do_sample`; 1 is off. */
  temperature: z._default(positive(), 1),
  /** With `do_sample`; 0 is off. */
  top_k: z._default(integerFrom(0), 0),
  /** With `do_sample`; 1 is off. */
  top_p: z._default(positiveShare(), 1),
  /** With `do_sample`; 0 is off. */
  min_p: z._default(share(), 0),
  /** Any u64, with `do_sample`. None: one is chosen and reported. */
  seed: z.optional(seed()),
  /** The ids that end a sequence. Default: the model's. */
  eos_token_id: z.optional(oneOrListOf(integerFrom(0), END_DOMAIN)),
  /** Ids that end a sequence beside those. */
  stop_token_ids,
  /** Strings that end a sequence; its text is cut before the first occurrence. They take a tokenizer. */
  stop,
  /** Added by id to what the processors see: the logprobs, for one beam the raw logits. */
  logit_bias,
});

type Lists = 'stop' | 'stop_token_ids' | 'logit_bias';

/** What a caller gives: every field may be left out. */
export type BeamParamsInput = Readonly<
  Omit<z.input<typeof beamParamsSchema>, 'eos_token_id' | Lists> & { eos_token_id?: number | Ids | undefined } & Pick<
      GenerationParamsInput,
      Lists
    >
>;

/** Checked, complete and frozen. */
export type BeamParams = Readonly<Omit<z.output<typeof beamParamsSchema>, Lists> & Pick<GenerationParams, Lists>>;

/**
 * The complete, frozen parameters, each in its own domain; throws InvalidValueError naming the first that is wrong or
 * unknown. Which of them go together: `checkTogether`.
 */
export function validateBeamParams(params: BeamParamsInput = {}): BeamParams {
  const checked = checkOptions('BeamParams', beamParamsSchema, params);
  for (const list of [checked.stop, checked.stop_token_ids, checked.logit_bias]) Object.freeze(list);
  return checked;
}
