/**
 * What a pool and its threads say to one another.
 */
import { InvalidValueError, show } from '../errors.js';
import type { SampledToken } from '../sampler/sampler.js';

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

/** A refusal in a form that can be sent. */
export interface SentRefusal {
  readonly refused: {
    readonly owner: string;
    readonly parameter: string;
    readonly domain: string;
    readonly value: unknown;
  };
}

export type Answer =
  | { readonly number: number; readonly result: unknown }
  | { readonly number: number; readonly refusal: SentRefusal }
  | { readonly number: number; readonly failure: unknown };

export type SentToken = SampledToken | SentRefusal;

/** `error` as it is sent; the value as it is shown where it cannot be sent itself. */
export function sendRefusal({ owner, parameter, domain, value }: InvalidValueError): SentRefusal {
  const isPlain = value === null || ['number', 'string', 'boolean', 'bigint', 'undefined'].includes(typeof value);
  return { refused: { owner, parameter, domain, value: isPlain ? value : show(value) } };
}

export function receiveRefusal({ refused }: SentRefusal): InvalidValueError {
  const { owner, parameter, domain, value } = refused;
  return new InvalidValueError(owner, parameter, domain, value);
}

/** A token, or the refusal in its place. */
export function receiveToken(token: SentToken): SampledToken | InvalidValueError {
  return 'refused' in token ? receiveRefusal(token) : token;
}
