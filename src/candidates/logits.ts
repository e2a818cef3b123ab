/**
 * The model's logits: one flat vector with an entry an id.
 */
import { InvalidValueError } from '../errors.js';

/** f32[V], f64[V] or numbers[V]; finite, or -Infinity for an id that is masked. */
export type Logits = Float32Array | Float64Array | readonly number[];

/**
 * The number of finite entries. Refuses, naming `owner`: an input that is no flat vector of numbers, is empty, or holds
 * NaN or +Infinity, and one without a finite entry.
 */
export function checkLogits(logits: Logits, owner: string): number {
  const typed = logits instanceof Float32Array || logits instanceof Float64Array;
  if (!typed && !Array.isArray(logits)) {
    throw new InvalidValueError(owner, 'logits', 'a Float32Array, a Float64Array or an array of numbers', logits);
  }
  if (logits.length === 0) throw new InvalidValueError(owner, 'logits', 'not empty', logits);
  if (!typed) checkNumbers(logits, owner);
  const finite = countFinite(logits, owner);
  if (finite === 0) throw refuseMasked(owner);
  return finite;
}

function checkNumbers(logits: readonly unknown[], owner: string): void {
  for (let i = 0; i < logits.length; i++) {
    if (typeof logits[i] !== 'number') throw refuseEntry(owner, i, logits[i]);
  }
}

function countFinite(logits: Logits, owner: string): number {
  let masked = 0;
  for (let i = 0; i < logits.length; i++) {
    const x = logits[i] as number;
    if (!(x < Infinity)) throw refuseEntry(owner, i, x);
    if (x === -Infinity) masked++;
  }
  return logits.length - masked;
}

/** The error for an entry that is no logit. */
export function refuseEntry(owner: string, index: number, value: unknown): InvalidValueError {
  return new InvalidValueError(owner, `logits[${index}]`, 'a finite number or -Infinity', value);
}

/** The error for logits that mask every id. */
export function refuseMasked(owner: string): InvalidValueError {
  return new InvalidValueError(owner, 'logits', 'finite for at least one id', '-Infinity everywhere');
}
