/**
 * The model's logits: one flat vector with an entry an id.
 */
import { InvalidValueError } from './errors.js';
import { readable } from './inputs.js';
import { isArray, isFloat32Array, isFloat64Array } from './kinds.js';

/** f32[V], f64[V] or numbers[V]; finite, or -Infinity for an id that is masked. */
export type Logits = Float32Array | Float64Array | readonly number[];

/**
 * The number of finite entries. Refuses, naming `owner`: an input that is no flat vector of numbers, is empty, or holds
 * NaN or +Infinity, and one without a finite entry.
 */
export function checkLogits(logits: Logits, owner: string): number {
  const typed = isFloat32Array(logits) || isFloat64Array(logits);
  if (vectorLength(owner, logits) === 0) throw new InvalidValueError(owner, 'logits', 'not empty', logits);
  if (!typed) checkNumbers(logits, owner);
  const finite = countFinite(logits, owner);
  if (finite === 0) throw refuseMasked(owner);
  return finite;
}

function checkNumbers(logits: readonly unknown[], owner: string): void {
  const wrong = readable(owner, 'logits', logits, () => firstWrong(logits));
  if (wrong >= 0) throw refuseEntry(owner, wrong, logits[wrong]);
}

/** The length of what may be logits. Refuses, naming `owner`, what is no vector of numbers. */
export function vectorLength(owner: string, logits: unknown): number {
  if (isFloat32Array(logits) || isFloat64Array(logits)) return logits.length;
  if (isArray(logits)) return readable(owner, 'logits', logits, () => logits.length);
  throw new InvalidValueError(owner, 'logits', 'a Float32Array, a Float64Array or an array of numbers', logits);
}

/** The index of the first entry that is no number; -1 for none. */
function firstWrong(logits: readonly unknown[]): number {
  for (let i = 0; i < logits.length; i++) if (typeof logits[i] !== 'number') return i;
  return -1;
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

/** `value` where a step may make it the logit of an id: a number below +Infinity. */
export function checkLogit(value: unknown): number {
  if (typeof value === 'number' && value < Infinity) return value;
  throw new InvalidValueError('CandidateSet', 'value', 'a number below Infinity', value);
}

/** The error for an entry that is no logit. */
function refuseEntry(owner: string, index: number, value: unknown): InvalidValueError {
  return new InvalidValueError(owner, `logits[${index}]`, 'a finite number or -Infinity', value);
}

/** The error for the first entry of `logits` that is no logit. */
export function refuseNoLogit(owner: string, logits: Float32Array): InvalidValueError {
  const index = logits.findIndex((x) => !(x < Infinity));
  return refuseEntry(owner, index, logits[index]);
}

/** The error for an array of `logitsBuffer` that was sampled from, or that other logits came in the place of. */
export function refuseStale(owner: string, logits: Float32Array): InvalidValueError {
  const domain = 'the array that `logitsBuffer` lent for this token (ask for one for each token)';
  return new InvalidValueError(owner, 'logits', domain, logits);
}

/** The error for logits that mask every id. */
export function refuseMasked(owner: string): InvalidValueError {
  return new InvalidValueError(owner, 'logits', 'finite for at least one id', '-Infinity everywhere');
}

/** More ids than any vocabulary has. */
const LARGEST_VOCABULARY = 16_777_216;

/** `vocabSize` where arrays may be made for so many ids; refuses, naming `owner`, what is no such number. */
export function checkVocabSize(owner: string, vocabSize: number): number {
  if (Number.isInteger(vocabSize) && vocabSize >= 1 && vocabSize <= LARGEST_VOCABULARY) return vocabSize;
  throw new InvalidValueError(owner, 'vocabSize', `an integer in [1, ${LARGEST_VOCABULARY}]`, vocabSize);
}
