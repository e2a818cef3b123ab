/**
 * The sampler of a generation: the chain for its parameters, with the steps that `logit_bias` and `min_tokens` are.
 */
import { giveBackSteps } from '../chain/step-owners.js';
import type { LanguageModel } from '../model/language-model.js';
import { type CreateSamplerOptions, createSampler } from '../request/create-sampler.js';
import { partsOf } from '../request/parts.js';
import type { Sampler } from '../sampler/sampler.js';
import { type GenerationParams, samplingParamsOf } from './generation-params.js';
import { checkRequest, refuseSteps, requestSteps } from './request-steps.js';

/** What ends a text: the model's end ids and those of the request. */
export function endIdsOf(model: LanguageModel, { stop_token_ids }: Pick<GenerationParams, 'stop_token_ids'>): number[] {
  return [...model.endIds, ...stop_token_ids];
}

/** A sampler after the ids `prompt`; refuses parameters that do not fit the model, and too few tokens for a step. */
export function requestSampler(
  model: LanguageModel,
  prompt: readonly number[],
  params: GenerationParams,
  { container, chain, before }: Omit<CreateSamplerOptions, 'prompt' | 'history'>,
  tokens = params.max_tokens,
): Sampler {
  checkRequest(params, model.vocabSize);
  if (chain !== undefined) refuseSteps(params);
  const { makeProcessor } = partsOf(container);
  const steps = [...requestSteps(params, endIdsOf(model, params), makeProcessor), ...(before ?? [])];
  const sampler = createSampler(samplingParamsOf(params), {
    prompt,
    ...(container !== undefined && { container }),
    ...(chain !== undefined && { chain }),
    ...(chain === undefined || before !== undefined ? { before: steps } : {}),
  });
  try {
    sampler.chain.budget(tokens);
  } catch (error) {
    giveBackSteps(sampler.chain.steps);
    throw error;
  }
  return sampler;
}
