/**
 * Drafts: ids that a drafter proposes at little cost, each with the distribution that it was drawn from, for the target to verify.
 */
import { InvalidValueError } from '../../errors.js';
import { checkFunction, readable, readIds } from '../../inputs.js';
import { isObject } from '../../kinds.js';
import type { Awaitable } from '../../model/language-model.js';

/** A proposed id. */
export interface DraftToken {
  readonly id: number;
  /**
   * f64[V], q: the very distribution that `id` was drawn from, after every filter, by id, of the sum 1. Left out where the
   * draft is deterministic: then q is one-hot. With another q the output no longer follows the target.
   */
  readonly q?: Float64Array;
}

/** What a drafter knows of a request. */
export interface DraftRequest {
  /** The prompt's ids, without the begin token. */
  readonly prompt: readonly number[];
  /** V of the target. */
  readonly vocabSize: number;
  /** Ids that end the text: nothing after one of them is ever kept. */
  readonly endIds: readonly number[];
  /** The next uniform on [0, 1) of the request's one generator. */
  uniform(): number;
}

/** A copy of `request`, its ids in plain arrays. Refuses, naming `owner`, what is no request. */
export function checkDraftRequest(owner: string, request: DraftRequest): DraftRequest {
  if (!isObject(request)) throw new InvalidValueError(owner, 'request', 'a DraftRequest', request);
  const { prompt, vocabSize, endIds, uniform } = readable(owner, 'request', request, () => ({
    prompt: request.prompt,
    vocabSize: request.vocabSize,
    endIds: request.endIds,
    uniform: request.uniform,
  }));
  if (!(Number.isSafeInteger(vocabSize) && vocabSize >= 1)) {
    throw new InvalidValueError(owner, 'request.vocabSize', 'an integer >= 1', vocabSize);
  }
  checkFunction(owner, 'request.uniform', uniform);
  return {
    prompt: readIds(owner, 'request.prompt', prompt, vocabSize),
    vocabSize,
    endIds: readIds(owner, 'request.endIds', endIds, vocabSize),
    uniform: () => request.uniform(),
  };
}

/** Proposes ids; serves any number of requests. */
export interface Drafter {
  /** Starts on a request. Refuses one that it cannot serve. */
  open(request: DraftRequest): Awaitable<DraftSession>;
}

/** A drafter at work on one request. */
export interface DraftSession {
  /** Up to `count` ids to come after the accepted history, count >= 1; none where it has no idea. */
  propose(count: number, signal?: AbortSignal): Awaitable<readonly DraftToken[]>;
  /** Told, after each block, the ids that entered the history: the accepted ones and the one after them. */
  accept(ids: readonly number[]): Awaitable<void>;
  close?(): Awaitable<void>;
}
