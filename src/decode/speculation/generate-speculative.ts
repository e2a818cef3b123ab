/**
 * Text from a model that verifies what a drafter proposes: the same distribution as `generate`, fewer calls of the model.
 *
 * Greedy, the text is that of `generate` token for token. Sampled, its distribution is, while the tokens of a seed differ
 * from those of `generate`: each verified position takes two uniforms, and a draft model takes its own from the same
 * generator. Penalties, masks and steps with a state see every position with the history accepted so far.
 * Source: docs/SPEC.md, "Speculative decoding".
 */

import type { Tokenizer } from '../../../processors/tokenizer.js';
import type { ProcessorChain } from '../../chain/processor-chain.js';
import { giveBackSteps } from '../../chain/step-owners.js';
import { InvalidValueError } from '../../errors.js';
import { hasFunction } from '../../kinds.js';
import { checkedModel } from '../../model/checked-model.js';
import { checkedTokenizer } from '../../model/checked-tokenizer.js';
import type { LanguageModel } from '../../model/language-model.js';
import { countField, signalField } from '../../options/fields.js';
import { field, optionsOf, required } from '../../options/options-of.js';
import { CHOICE_FIELDS, type CreateSamplerOptions } from '../../request/create-sampler.js';
import {
  type GenerationParams,
  type GenerationParamsInput,
  loopParamsOf,
  validateGeneration,
} from '../generation-params.js';
import { type Prompt, promptIds } from '../prompt-ids.js';
import { endIdsOf, requestSampler } from '../request-sampler.js';
import { checkPrompt, roomBehind } from '../session/context.js';
import type { Drafter } from './draft.js';
import { SpeculativeGeneration } from './speculative-generation.js';
import { SpeculativeText } from './speculative-text.js';
import { SpeculationCounter } from './statistics.js';

const OWNER = 'generateSpeculative';

export interface SpeculativeOptions extends Omit<CreateSamplerOptions, 'prompt' | 'history' | 'tokenizer'> {
  readonly drafter: Drafter;
  /** How many ids to draft for a block, an integer >= 1; fewer where the context ends. Default 4. */
  readonly draftTokens?: number;
  /** Ends the work: the iterator and the promise throw its reason. */
  readonly signal?: AbortSignal;
}

/** `whenFull` is here so that asking to slide is answered. */
const SPECULATIVE_OPTIONS = optionsOf<SpeculativeOptions & { readonly whenFull?: 'stop' }>({
  ...CHOICE_FIELDS,
  drafter: required('an object with `open`', (value) => hasFunction(value, 'open')),
  draftTokens: countField(1),
  signal: signalField,
  whenFull: field('`stop`: a block does not slide', (value) => value === 'stop'),
});

/**
 * Generates after `prompt`; to be iterated or awaited, as `generate`. When the context is full, it stops.
 *
 * Wrong parameters are refused here, before anybody is asked anything; so is a chain with steps that draw, whose
 * distribution is not known before they do. `n` and `echo` are those of `generate` only.
 */
export function generateSpeculative(
  givenModel: LanguageModel,
  givenTokenizer: Tokenizer,
  prompt: Prompt,
  params: GenerationParamsInput,
  options: SpeculativeOptions,
): SpeculativeGeneration {
  const checked = validateGeneration(params);
  const own = SPECULATIVE_OPTIONS.check(OWNER, options);
  const { drafter, draftTokens = 4, signal } = own;
  check(checked);
  const model = checkedModel(OWNER, givenModel);
  const tokenizer = checkedTokenizer(OWNER, givenTokenizer, model.vocabSize);
  const ids = promptIds(OWNER, prompt, tokenizer, model.vocabSize);
  const endIds = endIdsOf(model, checked);
  checkPrompt(model, ids, 'stop');
  const tokens = Math.min(checked.max_tokens, roomBehind(model, ids.length, 'stop'));
  const sampler = requestSampler(model, ids, checked, { ...own, tokenizer }, tokens);
  checkDraws(sampler.chain);
  const counter = new SpeculationCounter();
  const { logprobs } = checked;
  const parts = { model, tokenizer, sampler, drafter, draftTokens, endIds, logprobs, counter, signal };
  return new SpeculativeGeneration(parts, new SpeculativeText(parts, loopParamsOf(checked)));
}

/** Refuses steps that draw; a chain that is refused leaves its steps to others. */
function checkDraws({ draws, steps }: ProcessorChain): void {
  if (draws === 0) return;
  giveBackSteps(steps);
  throw new InvalidValueError(OWNER, 'chain.draws', '0, no step that draws', draws);
}

function check({ n, echo }: GenerationParams): void {
  if (n !== 1) throw new InvalidValueError(OWNER, 'n', '1', n);
  if (echo) throw new InvalidValueError(OWNER, 'echo', 'false', echo);
}
