/**
 * Lists of ids as options, and as what a vocabulary has.
 */
import { InvalidValueError } from '../contract.js';
import { type ListSchema, typedListOf } from '../list-schema.js';
import type { Ids } from '../plain-ids.js';
import { integerFrom } from '../schema.js';

/** The domain of a mask of which something must be left: the end of every refusal here. */
export const LEAVES_ONE = 'such that at least one of the kept ids remains';

const ANY = 'an array of ids';
const SOME = 'a non-empty array of ids';

/** Given as an array or a typed array, and then a frozen plain array. */
type IdList = ListSchema<number, Ids>;

/** Ids, integers >= 0. */
export function idList(): IdList {
  return typedListOf(integerFrom(0), ANY) as IdList;
}

/** The same with at least one. */
export function someIds(): IdList {
  return typedListOf(integerFrom(0), SOME, 1) as IdList;
}

/** Refuses, naming `owner` and where in `name` it stands, the first of `ids` that is not below V. */
export function checkWithin(ids: readonly number[], vocabSize: number, owner: string, name: string): void {
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i] as number;
    if (id >= vocabSize) throw new InvalidValueError(owner, `${name}[${i}]`, `an integer in [0, ${vocabSize})`, id);
  }
}
