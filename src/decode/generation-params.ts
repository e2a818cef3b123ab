/**
 * The parameters of a generation, under their wire names: those of sampling, and those that need a model or a text.
 */
import { domainOf } from '../../processors/domain-of.js';
import { listOf, typedListOf } from '../../processors/list-schema.js';
import { type LogitBiasInput, logitBiasOptions } from '../../processors/masks/logit-bias.js';
import type { Ids } from '../../processors/plain-ids.js';
import { checkOptions, flag, integerFrom, numberIn } from '../../processors/schema.js';
import * as z from '../../processors/zod.js';
import { InvalidValueError } from '../errors.js';
import { isMap, isPromise } from '../kinds.js';
import {
  type Complete,
  type SamplingParamsInput,
  samplingParamsSchema,
  stopString,
} from '../params/sampling-params.js';
import type { LoopParams } from './run/loop-parts.js';

const TOKEN_IDS = 'an array of integers >= 0';
const WELL_FORMED = 'a string without half a character';
const MOST = 'an integer >= 1, or 0 with echo';
/** The most texts of one prompt: some hundreds are asked for to see whether one is right. More are several calls. */
const MOST_CHOICES = 1024;
const CHOICES = `an integer in [1, ${MOST_CHOICES}]`;

const tokenId = numberIn('an integer >= 0', (id) => Number.isSafeInteger(id) && id >= 0);

const wholeStop = stopString.check(z.refine((text) => !/\p{Surrogate}/u.test(text), { error: WELL_FORMED }));

const { bias } = logitBiasOptions.shape;

/**
 * A Map as an object; null, which is refused, for one with an id twice, as a number and as a string, and for a promise, which
 * zod would take for an answer to come.
 */
function withoutMap(input: unknown): unknown {
  if (!isMap(input)) return isPromise(input) ? null : input;
  const object = Object.fromEntries(input as Map<string, unknown>);
  return Object.keys(object).length === input.size ? object : null;
}

const biasOrMap = z.pipe(z.transform(withoutMap), bias).check(z.describe(domainOf(bias)));

/** The one schema: checks, types, defaults, error texts and command-line flags come from it. */
export const generationParamsSchema = z.extend(samplingParamsSchema, {
  max_tokens: z._default(
    numberIn(MOST, (n) => Number.isInteger(n) && n >= 0),
    128,
  ),
  stop: z._default(listOf(wholeStop, 'an array of non-empty strings'), () => Object.freeze([])),
  n: z._default(
    numberIn(CHOICES, (n) => Number.isInteger(n) && n >= 1 && n <= MOST_CHOICES),
    1,
  ),
  echo: z._default(flag(), false),
  logit_bias: z._default(biasOrMap, () => ({})),
  min_tokens: z._default(integerFrom(0), 0),
  stop_waits: z._default(flag(), false),
  stop_token_ids: z._default(typedListOf(tokenId, TOKEN_IDS), () => Object.freeze([])),
});

/** What a caller gives: every field may be left out. */
export interface GenerationParamsInput extends Omit<SamplingParamsInput, 'max_tokens' | 'stop'> {
  /** The most tokens to generate. An integer >= 1, or 0 with echo, which scores the prompt; default 128. */
  readonly max_tokens?: number | undefined;
  /**
   * Strings that end the text before their first occurrence, also before `min_tokens`. An array of non-empty strings,
   * without half a character (a lone surrogate is in no text); default [].
   */
  readonly stop?: readonly string[] | undefined;
  /** How many texts; above 1 for `generateChoices`. An integer in [1, 1024]; default 1. */
  readonly n?: number | undefined;
  /** Whether the prompt's text comes first; with `logprobs`, its logprobs too. True or false; default false. */
  readonly echo?: boolean | undefined;
  /** Added to the raw logits, by id. An object or a Map from ids to finite numbers; default {}. */
  readonly logit_bias?: LogitBiasInput['bias'] | undefined;
  /** No end id before so many tokens. An integer >= 0; default 0, which is off. */
  readonly min_tokens?: number | undefined;
  /**
   * Whether a stop string that is complete within the first `min_tokens` tokens is text, as in vLLM. Without it a stop
   * string ends the text whenever it comes, as in Hugging Face's `generate`: who names one does not want it in the text.
   * True or false; default false.
   */
  readonly stop_waits?: boolean | undefined;
  /**
   * Ids that end the text beside the model's own; part of neither ids nor text. An array of integers >= 0; default [].
   */
  readonly stop_token_ids?: Ids | undefined;
}

/** Fields that are checked into another form. */
type Read = 'seed' | 'stop_token_ids' | 'logit_bias';

/** Checked, complete and frozen; without a seed where none was given. */
export type GenerationParams = Complete<Omit<GenerationParamsInput, Read>> &
  Pick<GenerationParamsInput, 'seed'> & {
    readonly stop_token_ids: readonly number[];
    readonly logit_bias: Readonly<Record<string, number>>;
  };

/** The complete, frozen parameters; throws InvalidValueError naming the first that is wrong or unknown. */
export function validateGeneration(params: GenerationParamsInput = {}): GenerationParams {
  const checked = checkOptions('GenerationParams', generationParamsSchema, params);
  if (checked.max_tokens === 0 && !checked.echo) {
    throw new InvalidValueError('GenerationParams', 'max_tokens', MOST, 0);
  }
  Object.freeze(checked.logit_bias);
  return checked;
}

/** What a loop needs of them. */
export function loopParamsOf(params: GenerationParams): LoopParams {
  const { max_tokens, stop, stop_token_ids, logprobs, stop_waits, min_tokens } = params;
  return { max_tokens, stop, stop_token_ids, logprobs, stop_after: stop_waits ? min_tokens : 0 };
}

/** The parameters that the sampler knows. */
export function samplingParamsOf(params: GenerationParams): SamplingParamsInput {
  const {
    n: _n,
    echo: _echo,
    logit_bias: _bias,
    min_tokens: _min,
    stop_waits: _waits,
    stop_token_ids: _ids,
    max_tokens: _max,
    ...sampling
  } = params;
  return sampling;
}
