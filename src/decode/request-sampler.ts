/**
 * The sampler of a generation: the chain for its parameters, with the steps that `logit_bias` and `min_tokens` are.
 */
import { giveBackSteps } from '../chain/step-owners.js';
import type { LanguageModel } from '../model/language-model.js';
import { type CreateSamplerOptions, samplerWith } from '../request/create-sampler.js';
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
  options: Omit<CreateSamplerOptions, 'prompt' | 'history'>,
  tokens = params.max_tokens,
): Sampler {
  checkRequest(params, model.vocabSize);
  const { chain, before } = options;
  if (chain !== undefined) refuseSteps(params);
  const sampler = samplerWith(samplingParamsOf(params), { ...options, prompt }, (make) => {
    if (chain !== undefined) return before; // refused beside a chain
    return [...requestSteps(params, endIdsOf(model, params), make), ...(before ?? [])];
  });
  try {
    sampler.chain.budget(tokens);
  } catch (error) {
    giveBackSteps(sampler.chain.steps);
    throw error;
  }
  return sampler;
}
