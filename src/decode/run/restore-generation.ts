/**
 * Goes on with a generation that another process saved.
 */

import type { Tokenizer } from '../../../processors/tokenizer.js';
import { InvalidValueError } from '../../errors.js';
import { checkedModel } from '../../model/checked-model.js';
import { checkedTokenizer } from '../../model/checked-tokenizer.js';
import type { LanguageModel } from '../../model/language-model.js';
import { signalField, stepsField } from '../../options/fields.js';
import { optionsOf } from '../../options/options-of.js';
import { containerField } from '../../request/check-container.js';
import { type RestoreSamplerOptions, restoreSampler } from '../../request/create-sampler.js';
import { INJECTED_FIELDS } from '../../request/request-things.js';
import { Generation } from './generation.js';
import { checkGenerationState, checkOwners, type GenerationState } from './generation-state.js';
import { TokenLoop } from './token-loop.js';

const OWNER = 'restoreGeneration';

/** Of `steps`, a `Mask` has to be set again. */
export interface RestoreGenerationOptions extends Omit<RestoreSamplerOptions, 'tokenizer'> {
  /** Ends the work: the iterator and the promise throw its reason. */
  readonly signal?: AbortSignal;
}

const RESTORE_OPTIONS = optionsOf<RestoreGenerationOptions>({
  container: containerField,
  grammars: INJECTED_FIELDS.grammars,
  steps: stepsField,
  signal: signalField,
});

/**
 * The generation that `save` gave, from the event after: the same ids, logprobs, pieces of text and end as if it had stayed
 * where it was, with a model of the same weights. Its events and its result hold what comes from here on; `usage` counts all.
 * Throws InvalidValueError for a state that `save` did not give, or that is of another model, another tokenizer, another
 * chain or other numerics. Models and tokenizers are told by their `id`, and those without one by their sizes only.
 */
export function restoreGeneration(
  givenModel: LanguageModel,
  givenTokenizer: Tokenizer,
  saved: GenerationState,
  options: RestoreGenerationOptions = {},
): Generation {
  const { signal, ...own } = RESTORE_OPTIONS.check(OWNER, options);
  const model = checkedModel(OWNER, givenModel);
  const tokenizer = checkedTokenizer(OWNER, givenTokenizer, model.vocabSize);
  const state = checkGenerationState(saved);
  checkOwners(state, model, tokenizer);
  if (state.ended && state.ending === null) {
    throw new InvalidValueError('GenerationState', 'ended', 'false without an ending', state.ended);
  }
  const sampler = restoreSampler(state.sampler, { ...own, tokenizer });
  sampler.history.checkWithin(model.vocabSize, OWNER);
  return new Generation(
    new TokenLoop({
      model,
      tokenizer,
      params: state.params,
      sampler,
      whenFull: state.whenFull,
      signal,
      echo: state.echo ?? undefined,
      held: state.held,
      forced: state.forced,
      ending: state.ending ?? undefined,
      ended: state.ended,
    }),
  );
}
