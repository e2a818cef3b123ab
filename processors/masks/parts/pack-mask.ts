/**
 * Token masks of every form, in the one form that candidates take.
 */
import { checkName, readable } from '../../../src/inputs.js';
import { isArray, isInt32Array, isIterable, isObject, isUint32Array } from '../../../src/kinds.js';
import type { TokenMask } from '../../constraints/constraint.js';
import { InvalidValueError } from '../../contract.js';

/** Bit `id & 31` of word `id >> 5`. */
export type PackedMask = Int32Array | Uint32Array;

/** All ids of a word. */
const ALL = 0xffffffff;
const FORMS = 'an array of booleans, an Int32Array or Uint32Array, or { allow } or { ban } with ids';

/**
 * `mask` for V ids as ceil(V / 32) words. A packed one comes back as it is, the bits beyond V included; the other forms are
 * written to `target`, or to a new array where there is none, with no bit beyond V.
 * Throws InvalidValueError, naming `owner`, for a mask that does not fit V: booleans or words of another number, ids
 * outside [0, V).
 */
export function packMask(mask: TokenMask, vocabSize: number, target?: Uint32Array, owner = 'packMask'): PackedMask {
  checkName('packMask', 'owner', owner);
  if (!(Number.isSafeInteger(vocabSize) && vocabSize >= 1)) {
    throw new InvalidValueError(owner, 'vocabSize', 'an integer >= 1', vocabSize);
  }
  checkForm(mask, owner);
  const length = Math.ceil(vocabSize / 32);
  if (isInt32Array(mask) || isUint32Array(mask)) {
    checkLength(mask.length, length, `words of 32 ids each, for ${vocabSize} ids`, owner);
    return mask;
  }
  const words = target === undefined ? new Uint32Array(length) : target;
  if (!(isUint32Array(words) && words.length === length)) {
    throw new InvalidValueError(owner, 'target', `a Uint32Array of ${length} words`, target);
  }
  if (isArray(mask)) readable(owner, 'mask', mask, () => packBooleans(mask, vocabSize, words, owner));
  else if ('allow' in mask && mask.allow !== undefined) packAllowed(mask.allow, vocabSize, words, owner);
  else packBanned((mask as { ban: Iterable<number> }).ban, vocabSize, words, owner);
  return words;
}

/** Refuses, naming `owner`, what has none of the forms. */
export function checkForm(mask: unknown, owner: string): asserts mask is TokenMask {
  if (isInt32Array(mask) || isUint32Array(mask) || isArray(mask)) return;
  if (!isObject(mask)) throw new InvalidValueError(owner, 'mask', FORMS, mask);
  const { allow, ban } = readable(owner, 'mask', mask, () => ({ ...mask })) as { allow?: unknown; ban?: unknown };
  if ((allow === undefined) === (ban === undefined)) throw new InvalidValueError(owner, 'mask', FORMS, mask);
  const [name, ids] = ban === undefined ? ['mask.allow', allow] : ['mask.ban', ban];
  if (isIterable(ids)) return;
  throw new InvalidValueError(owner, name, 'ids to iterate over', ids);
}

function checkLength(given: number, length: number, unit: string, owner: string): void {
  if (given !== length) throw new InvalidValueError(owner, 'mask.length', `${length} (${unit})`, given);
}

function packBooleans(mask: readonly unknown[], vocabSize: number, words: Uint32Array, owner: string): void {
  checkLength(mask.length, vocabSize, 'a boolean for each id', owner);
  words.fill(0);
  for (let id = 0; id < vocabSize; id++) {
    const allowed = mask[id];
    if (allowed === true) allow(words, id);
    else if (allowed !== false) throw new InvalidValueError(owner, `mask[${id}]`, 'true or false', allowed);
  }
}

function packAllowed(ids: Iterable<number>, vocabSize: number, words: Uint32Array, owner: string): void {
  words.fill(0);
  let i = 0;
  for (const id of ids) {
    checkId(id, vocabSize, owner, 'mask.allow', i++);
    allow(words, id);
  }
}

function packBanned(ids: Iterable<number>, vocabSize: number, words: Uint32Array, owner: string): void {
  words.fill(ALL);
  words[words.length - 1] = ALL >>> -vocabSize; // a shift counts modulo 32: none where the last word is full
  let i = 0;
  for (const id of ids) {
    checkId(id, vocabSize, owner, 'mask.ban', i++);
    words[id >> 5] = (words[id >> 5] as number) & ~(1 << (id & 31));
  }
}

function checkId(id: number, vocabSize: number, owner: string, name: string, index: number): void {
  if (Number.isInteger(id) && id >= 0 && id < vocabSize) return;
  throw new InvalidValueError(owner, `${name}[${index}]`, `an integer in [0, ${vocabSize})`, id);
}

function allow(words: Uint32Array, id: number): void {
  words[id >> 5] = (words[id >> 5] as number) | (1 << (id & 31));
}
