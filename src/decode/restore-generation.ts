/**
 * Goes on with a generation that another process saved.
 */
import type { Container } from 'inversify';
import type { LogitsProcessor } from '../../processors/contract.js';
import { InvalidValueError } from '../errors.js';
import { checkedModel } from '../model/checked-model.js';
import { checkedTokenizer } from '../model/checked-tokenizer.js';
import type { LanguageModel } from '../model/language-model.js';
import type { Tokenizer } from '../model/tokenizer.js';
import { signalField, stepsField } from '../options/fields.js';
import { optionsOf } from '../options/options-of.js';
import { containerField } from '../request/check-container.js';
import { restoreSampler } from '../request/create-sampler.js';
import { Generation } from './generation.js';
import { checkGenerationState, checkOwners, type GenerationState } from './generation-state.js';
import { TokenLoop } from './token-loop.js';

const OWNER = 'restoreGeneration';

export interface RestoreGenerationOptions {
  /** Where the processors of the chain come from. Default: those that Lockstep ships. */
  readonly container?: Container;
  /**
   * The steps of the chain that were given as objects and that no container makes, such as `Constrained` or `Mask`: made
   * anew with the same options, in their order. Each goes on with the state that was saved; a `Mask` has to be set again.
   */
  readonly steps?: readonly LogitsProcessor[];
  /** Ends the work: the iterator and the promise throw its reason. */
  readonly signal?: AbortSignal;
}

const RESTORE_OPTIONS = optionsOf<RestoreGenerationOptions>({
  container: containerField,
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
  const { container, steps, signal } = RESTORE_OPTIONS.check(OWNER, options);
  const model = checkedModel(OWNER, givenModel);
  const tokenizer = checkedTokenizer(OWNER, givenTokenizer, model.vocabSize);
  const state = checkGenerationState(saved);
  checkOwners(state, model, tokenizer);
  if (state.ended && state.ending === null) {
    throw new InvalidValueError('GenerationState', 'ended', 'false without an ending', state.ended);
  }
  const sampler = restoreSampler(state.sampler, container, steps);
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
