/**
 * What a search is asked for, checked: the prompt's ids, the end ids, and how many ids fit behind the prompt.
 */
import { InvalidValueError } from '../../errors.js';
import type { CheckedTokenizer } from '../../model/checked-tokenizer.js';
import type { LanguageModel } from '../../model/language-model.js';
import { type Prompt, promptIds } from '../prompt-ids.js';
import { type EndOf, endsOf } from './beam-ends.js';
import type { BeamParams } from './beam-params.js';

const OWNER = 'beamSearch';

export interface BeamRequest {
  /** Without the begin token. */
  readonly prompt: readonly number[];
  /** Each once. */
  readonly endIds: readonly number[];
  /** What ends a sequence before that. */
  readonly endOf: EndOf;
  /** The most tokens of a sequence: `max_tokens`, or what the context has room for. */
  readonly maxTokens: number;
}

/** Throws InvalidValueError for a prompt that does not fit and for end ids outside [0, V). */
export function checkRequest(
  model: LanguageModel,
  prompt: Prompt,
  params: BeamParams,
  tokenizer: CheckedTokenizer | undefined,
): BeamRequest {
  const ids = promptIds(OWNER, prompt, tokenizer, model.vocabSize);
  const begins = model.beginId === undefined ? 0 : 1;
  if (ids.length + begins === 0) {
    throw new InvalidValueError(OWNER, 'prompt', 'not empty (the model has no begin token)', ids);
  }
  if (params.stop.length > 0 && tokenizer === undefined) {
    throw new InvalidValueError(OWNER, 'tokenizer', 'given where there are stop strings', tokenizer);
  }
  const room = model.contextLength - begins - ids.length;
  if (room < 1) throw new InvalidValueError(OWNER, 'prompt', `at most ${room + ids.length - 1} ids`, ids.length);
  checkBias(params, model);
  const endIds = endIdsOf(params, model);
  const endOf = endsOf(endIds, params.stop, tokenizer);
  return { prompt: ids, endIds, endOf, maxTokens: Math.min(params.max_tokens, room) };
}

function endIdsOf({ eos_token_id, stop_token_ids }: BeamParams, model: LanguageModel): readonly number[] {
  const { vocabSize } = model;
  const ids = typeof eos_token_id === 'number' ? [eos_token_id] : (eos_token_id ?? model.endIds);
  const outside = ids.find((id) => id >= vocabSize);
  if (outside !== undefined) {
    throw new InvalidValueError(OWNER, 'eos_token_id', `made of integers in [0, ${vocabSize})`, outside);
  }
  const stray = stop_token_ids.findIndex((id) => id >= vocabSize);
  if (stray < 0) return [...new Set([...ids, ...stop_token_ids])];
  const name = `stop_token_ids[${stray}]`;
  throw new InvalidValueError(OWNER, name, `an integer in [0, ${vocabSize})`, stop_token_ids[stray]);
}

function checkBias({ logit_bias }: BeamParams, { vocabSize }: LanguageModel): void {
  const wrong = Object.keys(logit_bias).find((id) => Number(id) >= vocabSize);
  if (wrong === undefined) return;
  const domain = `absent (the ids are those in [0, ${vocabSize}))`;
  throw new InvalidValueError(OWNER, `logit_bias.${wrong}`, domain, logit_bias[wrong]);
}
