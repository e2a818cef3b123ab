/**
 * The second logits of guidance, checked.
 */
import { readable } from '../../../src/inputs.js';
import { isFloat32Array, isFloat64Array } from '../../../src/kinds.js';
import { InvalidValueError } from '../../contract.js';

const FORM = 'an array, a Float32Array or a Float64Array';
const VALUES = 'numbers below Infinity, at least one above -Infinity';

/** A copy of `logits`, after a look at each of them. */
export function copyLogits(logits: unknown): Float64Array {
  return readable('Guidance', 'logits', logits, () => {
    if (!isList(logits)) throw new InvalidValueError('Guidance', 'logits', FORM, logits);
    return copied(logits);
  });
}

function isList(logits: unknown): logits is ArrayLike<unknown> {
  return Array.isArray(logits) || isFloat32Array(logits) || isFloat64Array(logits);
}

function copied(logits: ArrayLike<unknown>): Float64Array {
  const copy = new Float64Array(logits.length);
  let isAllMasked = true;
  for (let i = 0; i < copy.length; i++) {
    const l = logits[i];
    if (typeof l !== 'number' || !(l < Infinity)) throw new InvalidValueError('Guidance', `logits[${i}]`, VALUES, l);
    if (l > -Infinity) isAllMasked = false;
    copy[i] = l;
  }
  if (isAllMasked) throw new InvalidValueError('Guidance', 'logits', VALUES, logits);
  return copy;
}

export function checkLength({ length }: Float64Array, vocabSize: number): void {
  if (length !== vocabSize)
    throw new InvalidValueError('Guidance', 'logits.length', `V, which is ${vocabSize}`, length);
}
