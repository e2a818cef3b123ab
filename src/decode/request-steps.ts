/**
 * The steps that a generation's own parameters put in front of the spec's chain.
 */
import type { LogitsProcessor } from '../../processors/contract.js';
import type { ProcessorMaker } from '../chain/chain-data.js';
import { InvalidValueError } from '../errors.js';
import type { GenerationParams } from './generation-params.js';

const OWNER = 'generate';

/** `logit_bias` and `min_tokens` as steps; they are part of the chain, so that a saved chain holds them. */
export function requestSteps(
  params: GenerationParams,
  endIds: readonly number[],
  make: ProcessorMaker,
): LogitsProcessor[] {
  const { logit_bias, min_tokens } = params;
  const steps: LogitsProcessor[] = [];
  if (Object.keys(logit_bias).length > 0) steps.push(make('logit-bias', { bias: logit_bias }));
  if (min_tokens > 0 && endIds.length > 0) steps.push(make('min-tokens', { min_tokens, end_ids: endIds }));
  return steps;
}

/** A chain of one's own says it all: what would be a step of it is refused beside it. */
export function refuseSteps({ logit_bias, min_tokens }: GenerationParams): void {
  const domain = 'a step of the chain given';
  if (Object.keys(logit_bias).length > 0) throw new InvalidValueError(OWNER, 'logit_bias', domain, logit_bias);
  if (min_tokens > 0) throw new InvalidValueError(OWNER, 'min_tokens', domain, min_tokens);
}

/** Refuses ids that the model does not have, and more tokens at least than at most. */
export function checkRequest(params: GenerationParams, vocabSize: number): void {
  const { logit_bias, min_tokens, max_tokens, stop_token_ids } = params;
  const wrong = Object.keys(logit_bias).find((id) => Number(id) >= vocabSize);
  if (wrong !== undefined) {
    const domain = `absent (the ids are those in [0, ${vocabSize}))`;
    throw new InvalidValueError(OWNER, `logit_bias.${wrong}`, domain, logit_bias[wrong]);
  }
  const stray = stop_token_ids.findIndex((id) => id >= vocabSize);
  if (stray >= 0) {
    const name = `stop_token_ids[${stray}]`;
    throw new InvalidValueError(OWNER, name, `an integer in [0, ${vocabSize})`, stop_token_ids[stray]);
  }
  if (min_tokens > max_tokens) {
    throw new InvalidValueError(OWNER, 'min_tokens', `at most max_tokens, ${max_tokens}`, min_tokens);
  }
}
