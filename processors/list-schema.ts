/**
 * Schemas of lists. Unlike `z.array` they stop at the first wrong entry, and take typed arrays where those are meant.
 */
import { isList } from '../src/inputs.js';
import { isArray } from '../src/kinds.js';
import * as z from './zod.js';

/** Given as a list, and then a frozen plain array. */
export type ListSchema<T, Given = readonly T[]> = z.ZodMiniType<readonly T[], Given>;

/** An array of what `item` takes, with at least `least` entries. */
export function listOf<T>(item: z.core.$ZodType<T>, domain: string, least = 0): ListSchema<T> {
  return schemaOf(item, domain, least, isArray);
}

/** The same, also in a typed array of numbers. */
export function typedListOf(
  item: z.core.$ZodType<number>,
  domain: string,
  least = 0,
): ListSchema<number, ArrayLike<number>> {
  return schemaOf(item, domain, least, isList);
}

const HOLE = { path: [], message: 'there, not a hole' };

type NumberOrList = z.ZodMiniType<number | readonly number[], number | ArrayLike<number>>;

/** What `item` takes, or a list of them. */
export function oneOrListOf(item: z.core.$ZodType<number>, domain: string): NumberOrList {
  const list = typedListOf(item, domain);
  const read = z.transform((given, context) => {
    const result = isList(given) ? list.safeParse(given) : z.safeParse(item, given);
    if (result.success) return result.data;
    const { path, message } = result.error.issues[0] as z.core.$ZodIssue;
    context.issues.push({ code: 'custom', message: isList(given) ? message : domain, path: [...path], input: given });
    return z.NEVER;
  });
  return z.pipe(z.unknown(), read).check(z.describe(domain)) as unknown as NumberOrList;
}

function schemaOf<T, Given extends ArrayLike<T>>(
  item: z.core.$ZodType<T>,
  domain: string,
  least: number,
  isOne: (value: unknown) => boolean,
): ListSchema<T, Given> {
  const isLong = (value: unknown) => isOne(value) && (value as ArrayLike<unknown>).length >= least;
  const read = z.transform((given: Given, context) => {
    const list: T[] = [];
    for (let i = 0; i < given.length; i++) {
      const result = z.safeParse(item, given[i]);
      const { path, message } = result.success ? HOLE : (result.error.issues[0] as z.core.$ZodIssue);
      if (!result.success || !(i in given)) {
        context.issues.push({ code: 'custom', message, path: [i, ...path], input: given });
        return z.NEVER;
      }
      list.push(result.data);
    }
    return Object.freeze(list);
  });
  const list = z.pipe(z.custom<Given>(isLong, { error: domain }), read);
  return list.check(z.describe(domain)) as unknown as ListSchema<T, Given>;
}
