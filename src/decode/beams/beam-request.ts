/**
 * What a search is asked for, checked: the prompt's ids, the end ids, and how many ids fit behind the prompt.
 */
import { InvalidValueError } from '../../errors.js';
import type { CheckedTokenizer } from '../../model/checked-tokenizer.js';
import type { LanguageModel } from '../../model/language-model.js';
import { type Prompt, promptIds } from '../prompt-ids.js';
import type { BeamParams } from './beam-params.js';

const OWNER = 'beamSearch';

export interface BeamRequest {
  /** Without the begin token. */
  readonly prompt: readonly number[];
  /** Each once. */
  readonly endIds: readonly number[];
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
  const room = model.contextLength - begins - ids.length;
  if (room < 1) throw new InvalidValueError(OWNER, 'prompt', `at most ${room + ids.length - 1} ids`, ids.length);
  return { prompt: ids, endIds: endIdsOf(params, model), maxTokens: Math.min(params.max_tokens, room) };
}

function endIdsOf({ eos_token_id }: BeamParams, model: LanguageModel): readonly number[] {
  const ids = typeof eos_token_id === 'number' ? [eos_token_id] : (eos_token_id ?? model.endIds);
  const outside = ids.find((id) => id >= model.vocabSize);
  if (outside === undefined) return [...new Set(ids)];
  throw new InvalidValueError(OWNER, 'eos_token_id', `made of integers in [0, ${model.vocabSize})`, outside);
}
