/**
 * The parameters of a beam search, under their wire names: those of Hugging Face's `generate`, and `max_tokens`,
 * `min_tokens`, the penalties, the bias and the stops as elsewhere here.
 */
import { oneOrListOf } from '../../../processors/list-schema.js';
import type { Ids } from '../../../processors/plain-ids.js';
import { checkOptions, finite, flag, integerFrom, nonNegative, positive } from '../../../processors/schema.js';
import * as z from '../../../processors/zod.js';
import { policyShape } from '../../params/policy-params.js';
import { type Complete, seed } from '../../params/sampling-params.js';
import type { Seed } from '../../random/seed.js';
import { type GenerationParams, type GenerationParamsInput, generationParamsSchema } from '../generation-params.js';

/** As `generate` has them. */
const { stop, stop_token_ids, logit_bias } = generationParamsSchema.shape;
const { repetition_penalty, presence_penalty, frequency_penalty, top_k, top_p, min_p } = policyShape;

const EARLY_DOMAIN = 'true, false or "never"';
const END_DOMAIN = 'an integer >= 0 or an array of them';

const early = z.union([z.boolean(), z.literal('never')], { error: EARLY_DOMAIN }).check(z.describe(EARLY_DOMAIN));

/** The one schema: checks, types, defaults and error texts come from it. */
export const beamParamsSchema = z.strictObject({
  num_beams: z._default(integerFrom(1), 1),
  num_return_sequences: z._default(integerFrom(1), 1),
  max_tokens: z._default(integerFrom(1), 128),
  min_tokens: z._default(integerFrom(0), 0),
  length_penalty: z._default(finite(), 1),
  early_stopping: z._default(early, false),
  no_repeat_ngram_size: z._default(integerFrom(0), 0),
  repetition_penalty,
  presence_penalty,
  frequency_penalty,
  num_beam_groups: z._default(integerFrom(1), 1),
  diversity_penalty: z._default(nonNegative(), 0),
  do_sample: z._default(flag(), false),
  temperature: z._default(positive(), 1),
  top_k,
  top_p,
  min_p,
  seed: z.optional(seed()),
  eos_token_id: z.optional(oneOrListOf(integerFrom(0), END_DOMAIN)),
  stop_token_ids,
  stop,
  logit_bias,
});

/** The fields that mean here what they mean in `generate`. */
type Shared = 'repetition_penalty' | 'presence_penalty' | 'frequency_penalty' | 'stop_token_ids';

/** What a caller gives: every field may be left out. */
export interface BeamParamsInput extends Pick<GenerationParamsInput, Shared> {
  /** k, the number of beams; 1 is greedy. An integer >= 1; default 1. */
  readonly num_beams?: number | undefined;
  /** How many of the best sequences to give, at most `num_beams`. An integer >= 1; default 1. */
  readonly num_return_sequences?: number | undefined;
  /** The most tokens of a sequence, its end id included. An integer >= 1; default 128. */
  readonly max_tokens?: number | undefined;
  /** No end id before so many tokens. An integer >= 0; default 0, which is off. */
  readonly min_tokens?: number | undefined;
  /**
   * The exponent of the length that the logprob is divided by; above 0 favours longer sequences, 0 is off. A finite
   * number; default 1.
   */
  readonly length_penalty?: number | undefined;
  /** When to stop, by Hugging Face's rules. True, false or "never"; default false. */
  readonly early_stopping?: boolean | 'never' | undefined;
  /** No run of so many ids twice, the prompt included. An integer >= 0; default 0, which is off. */
  readonly no_repeat_ngram_size?: number | undefined;
  /** Groups of equally many beams, kept apart by `diversity_penalty`. An integer >= 1; default 1, which is off. */
  readonly num_beam_groups?: number | undefined;
  /**
   * Taken from the logprob of an id for each beam of an earlier group that chose it at this step. A finite number >= 0;
   * default 0, which is off.
   */
  readonly diversity_penalty?: number | undefined;
  /** Whether continuations are drawn instead of ranked. True or false; default false. */
  readonly do_sample?: boolean | undefined;
  /** T, with `do_sample`. A finite number > 0; default 1, which is off. */
  readonly temperature?: number | undefined;
  /** k, with `do_sample`. An integer >= 0; default 0, which is off. */
  readonly top_k?: number | undefined;
  /** p, with `do_sample`. A number in (0, 1]; default 1, which is off. */
  readonly top_p?: number | undefined;
  /** m, with `do_sample`. A number in [0, 1]; default 0, which is off. */
  readonly min_p?: number | undefined;
  /** With `do_sample`. An integer in [0, 2^53) or a bigint in [0, 2^64); without one, a seed is chosen and reported. */
  readonly seed?: Seed | undefined;
  /** The ids that end a sequence. An integer >= 0 or an array of them; without them, those of the model. */
  readonly eos_token_id?: number | Ids | undefined;
  /**
   * Strings that end a sequence before their first occurrence; they take a tokenizer. An array of non-empty strings;
   * default [].
   */
  readonly stop?: readonly string[] | undefined;
  /**
   * Added by id to what the processors see: the logprobs, for one beam the raw logits. An object or a Map from ids to
   * finite numbers; default {}.
   */
  readonly logit_bias?: GenerationParamsInput['logit_bias'];
}

/** Fields that are checked into another form, or may be left out. */
type Read = 'seed' | 'eos_token_id' | 'stop_token_ids' | 'logit_bias';

/** Checked, complete and frozen. */
export type BeamParams = Complete<Omit<BeamParamsInput, Read>> &
  Pick<BeamParamsInput, 'seed'> &
  Pick<z.output<typeof beamParamsSchema>, 'eos_token_id'> &
  Pick<GenerationParams, 'stop_token_ids' | 'logit_bias'>;

/**
 * The complete, frozen parameters, each in its own domain; throws InvalidValueError naming the first that is wrong or
 * unknown. Which of them go together: `checkTogether`.
 */
export function validateBeamParams(params: BeamParamsInput = {}): BeamParams {
  const checked = checkOptions('BeamParams', beamParamsSchema, params);
  for (const list of [checked.stop, checked.stop_token_ids, checked.logit_bias]) Object.freeze(list);
  return checked;
}
