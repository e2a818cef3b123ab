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
import { isMap } from '../kinds.js';
import { type SamplingParamsInput, samplingParamsSchema } from '../params/sampling-params.js';
import type { LoopParams } from './loop-parts.js';

const TOKEN_IDS = 'an array of integers >= 0';
const WELL_FORMED = 'a string without half a character';
const MOST = 'an integer >= 1, or 0 with echo';
/** The most texts of one prompt: some hundreds are asked for to see whether one is right. More are several calls. */
const MOST_CHOICES = 1024;
const CHOICES = `an integer in [1, ${MOST_CHOICES}]`;
const TEXT = 'a non-empty string';

const tokenId = numberIn('an integer >= 0', (id) => Number.isSafeInteger(id) && id >= 0);

const stopString = z.string({ error: TEXT }).check(
  z.minLength(1, { error: TEXT }),
  z.refine((text) => !/\p{Surrogate}/u.test(text), { error: WELL_FORMED }),
);

const { bias } = logitBiasOptions.shape;

/** A Map as an object; null, which is refused, for one with an id twice, as a number and as a string. */
function withoutMap(input: unknown): unknown {
  if (!isMap(input)) return input;
  const object = Object.fromEntries(input as Map<string, unknown>);
  return Object.keys(object).length === input.size ? object : null;
}

const biasOrMap = z.pipe(z.transform(withoutMap), bias).check(z.describe(domainOf(bias)));

/** The one schema: checks, types, defaults, error texts and command-line flags come from it. */
export const generationParamsSchema = z.extend(samplingParamsSchema, {
  /** The most tokens to generate; with `echo` 0, to score the prompt. */
  max_tokens: z._default(
    numberIn(MOST, (n) => Number.isInteger(n) && n >= 0),
    128,
  ),
  /** Strings that end the text before their first occurrence; a lone surrogate, half a character, is in no text. */
  stop: z._default(listOf(stopString, 'an array of non-empty strings'), () => Object.freeze([])),
  /** How many texts; `generateChoices` gives several. */
  n: z._default(
    numberIn(CHOICES, (n) => Number.isInteger(n) && n >= 1 && n <= MOST_CHOICES),
    1,
  ),
  /** Whether the prompt's text comes first. */
  echo: z._default(flag(), false),
  /** Added to the raw logits, by id: numbers, or strings as JSON has them. */
  logit_bias: z._default(biasOrMap, () => ({})),
  /** End ids cannot come before so many tokens, and stop strings are told by `stop_waits`; 0 is off. */
  min_tokens: z._default(integerFrom(0), 0),
  /**
   * Whether a stop string that is complete within the first `min_tokens` tokens is text, as in vLLM. By default a stop
   * string ends the text whenever it comes, as in Hugging Face's `generate`: whoever names one does not want it read.
   */
  stop_waits: z._default(flag(), false),
  /** Ids that end the text beside the model's own; part of neither ids nor text. */
  stop_token_ids: z._default(typedListOf(tokenId, TOKEN_IDS), () => Object.freeze([])),
});

type Lists = 'stop' | 'stop_token_ids' | 'logit_bias';

/** What a caller gives: every field may be left out. */
export type GenerationParamsInput = Readonly<
  Omit<z.input<typeof generationParamsSchema>, Lists> & {
    stop?: readonly string[] | undefined;
    stop_token_ids?: Ids | undefined;
    logit_bias?: LogitBiasInput['bias'] | undefined;
  }
>;

/** Checked, complete and frozen. */
export type GenerationParams = Readonly<
  Omit<z.output<typeof generationParamsSchema>, Lists> & {
    readonly stop: readonly string[];
    readonly stop_token_ids: readonly number[];
    readonly logit_bias: Readonly<Record<string, number>>;
  }
>;

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
