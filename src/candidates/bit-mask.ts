/**
 * Masks of ids, packed: bit `id & 31` of word `id >> 5`.
 */
import { InvalidValueError, NothingLeftError } from '../errors.js';
import { isInt32Array, isUint32Array } from '../kinds.js';

export type PackedMask = Int32Array | Uint32Array;

/** Whether the mask allows `id`. */
export function allows(words: PackedMask, id: number): boolean {
  return (((words[id >> 5] as number) >>> (id & 31)) & 1) === 1;
}

/** How many bits are set. */
export function countBits(words: PackedMask): number {
  let count = 0;
  for (let i = 0; i < words.length; i++) {
    const word = (words[i] as number) | 0;
    const pairs = (word - ((word >>> 1) & 0x55555555)) | 0; // within 32 bits, or each word becomes a float
    const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
    count += Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

/** Refuses, naming `owner`, what is no mask for V ids. */
export function checkMask(words: PackedMask, vocabSize: number, owner: string): void {
  const length = Math.ceil(vocabSize / 32);
  if ((isInt32Array(words) || isUint32Array(words)) && words.length === length) return;
  throw new InvalidValueError(owner, 'mask', `an Int32Array or Uint32Array of ${length} words`, words);
}

/** The refusal of a mask that leaves nothing. */
export function refuseMask(owner: string): NothingLeftError {
  return new NothingLeftError(owner, 'mask', 'one that allows at least one of the kept ids', 'none of them');
}
