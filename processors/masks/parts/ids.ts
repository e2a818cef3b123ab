/**
 * Lists of ids as options, and as what a vocabulary has.
 */
import { InvalidValueError } from '../../contract.js';
import { type ListSchema, typedListOf } from '../../list-schema.js';
import type { Ids } from '../../plain-ids.js';
import { integerFrom } from '../../schema.js';
import * as z from '../../zod.js';

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

const TEXT_OR_IDS = 'a non-empty text or array of ids';

/** A text, or ids, at least one letter or id. */
export function textOrIds(): z.ZodMiniType<string | readonly number[], string | Ids> {
  const ids = someIds();
  const read = z.transform((given: unknown, context) => {
    if (typeof given === 'string' && given !== '') return given;
    const result = ids.safeParse(given);
    if (result.success) return result.data;
    const { path, message } = result.error.issues[0] as z.core.$ZodIssue;
    const domain = path.length === 0 ? TEXT_OR_IDS : message;
    context.issues.push({ code: 'custom', message: domain, path: [...path], input: given });
    return z.NEVER;
  });
  return z.pipe(z.unknown(), read) as unknown as z.ZodMiniType<string | readonly number[], string | Ids>;
}

/** Refuses, naming `owner` and where in `name` it stands, the first of `ids` that is not below V. */
export function checkWithin(ids: readonly number[], vocabSize: number, owner: string, name: string): void {
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i] as number;
    if (id >= vocabSize) throw new InvalidValueError(owner, `${name}[${i}]`, `an integer in [0, ${vocabSize})`, id);
  }
}
