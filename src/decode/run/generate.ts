/**
 * Text from a model: prefill, then one token at a time, as an async iterator, a Web stream or a promise of the whole.
 *
 * Per token: forward, sample with `out` the generated ids and `prompt` the prompt's ids (the begin token is
 * for the model alone: penalties do not count it), append. It ends at an end id (part of neither ids nor text), at a stop string
 * (the text is cut before its first occurrence), at max_tokens, or when the context is full. Text is handed out only
 * when it is final: never half a character, never what may still become a stop string.
 * Source: docs/SPEC.md, "Generation".
 */

import type { Tokenizer } from '../../../processors/tokenizer.js';
import { InvalidValueError } from '../../errors.js';
import { checkedModel } from '../../model/checked-model.js';
import { checkedTokenizer } from '../../model/checked-tokenizer.js';
import type { LanguageModel } from '../../model/language-model.js';
import { oneOf, signalField } from '../../options/fields.js';
import { optionsOf } from '../../options/options-of.js';
import type { Seed } from '../../random/seed.js';
import { CHOICE_FIELDS, type CreateSamplerOptions } from '../../request/create-sampler.js';
import {
  type GenerationParams,
  type GenerationParamsInput,
  loopParamsOf,
  validateGeneration,
} from '../generation-params.js';
import { type Prompt, promptIds } from '../prompt-ids.js';
import { requestSampler } from '../request-sampler.js';
import { checkPrompt, checkScored, roomBehind, type WhenFull } from '../session/context.js';
import { promptText } from '../text/prompt-text.js';
import { Generation } from './generation.js';
import { TokenLoop } from './token-loop.js';

const OWNER = 'generate';

export interface GenerateOptions extends Omit<CreateSamplerOptions, 'prompt' | 'history' | 'tokenizer'> {
  /** Default `stop`. */
  readonly whenFull?: WhenFull;
  /** Ends the work: the iterator and the promise throw its reason. */
  readonly signal?: AbortSignal;
}

export const GENERATE_OPTIONS = optionsOf<GenerateOptions>({
  ...CHOICE_FIELDS,
  whenFull: oneOf('stop', 'slide'),
  signal: signalField,
});

/**
 * Generates after `prompt`.
 *
 * `for await (const event of generate(…))` gives the tokens as they come, `await generate(…)` the whole; both may be
 * used on one generation, which runs once. Wrong parameters are refused here, before the model is asked anything.
 */
export function generate(
  givenModel: LanguageModel,
  givenTokenizer: Tokenizer,
  prompt: Prompt,
  params: GenerationParamsInput = {},
  options: GenerateOptions = {},
): Generation {
  const checked = validateGeneration(params);
  if (checked.n !== 1) throw new InvalidValueError(OWNER, 'n', '1 (generateChoices gives several)', checked.n);
  return prepareGeneration(givenModel, givenTokenizer, prompt, checked, options)(checked.seed);
}

/** A request that was checked; each call begins it with a seed, none to have one chosen. A step with a state has it once. */
export function prepareGeneration(
  givenModel: LanguageModel,
  givenTokenizer: Tokenizer,
  prompt: Prompt,
  params: GenerationParams,
  options: GenerateOptions,
): (seed: Seed | undefined) => Generation {
  const own = GENERATE_OPTIONS.check(OWNER, options);
  const { whenFull = 'stop', signal } = own;
  const model = checkedModel(OWNER, givenModel);
  const tokenizer = checkedTokenizer(OWNER, givenTokenizer, model.vocabSize);
  const ids = promptIds(OWNER, prompt, tokenizer, model.vocabSize);
  checkPrompt(model, ids, whenFull);
  if (params.echo && params.logprobs > 0) checkScored(model, ids);
  const echo = params.echo ? promptText(prompt, ids, tokenizer) : {};
  const tokens = Math.min(params.max_tokens, roomBehind(model, ids.length, whenFull));
  return (seed) => {
    const sampler = requestSampler(model, ids, { ...params, seed }, { ...own, tokenizer }, tokens); // last: it takes the steps with a state
    return new Generation(
      new TokenLoop({ model, tokenizer, params: loopParamsOf(params), sampler, whenFull, signal, ...echo }),
    );
  };
}
