/**
 * What a pool and its threads say to one another.
 */
import type { BatchToken } from '../sampler/sample-row.js';
import { receiveError, type SentError } from './sent-error.js';

/** What a thread is started with. */
export interface ThreadData {
  /** f32[rows, V], shared. */
  readonly logits: SharedArrayBuffer;
  readonly vocabSize: number;
  /** The module whose `container` makes the samplers; none for that of Lockstep. */
  readonly module: string | undefined;
}

/** A call of a method in the thread that holds a row. */
export interface Call {
  readonly number: number;
  readonly method: 'start' | 'restore' | 'sample' | 'accept' | 'save' | 'end';
  readonly args: readonly unknown[];
}

export type Answer =
  | { readonly number: number; readonly result: unknown }
  | { readonly number: number; readonly failure: SentError };

export type SentToken = BatchToken | SentError;

/** A token, or the error in its place. */
export function receiveToken(token: SentToken): BatchToken | Error {
  return 'error' in token ? receiveError(token) : token;
}
