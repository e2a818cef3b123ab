/**
 * Arguments from outside. Lists are read once and entry by entry, so that the first wrong one ends it: an array that says it
 * has four thousand million entries and holds none is refused as soon as any other.
 */
import { InvalidValueError } from './errors.js';
import { isArray, typedArrayLength, typedArrayName } from './kinds.js';

/** What a list can be: an array or a typed array, of any realm. */
export function isList(value: unknown): value is ArrayLike<unknown> {
  return isArray(value) || typedArrayName(value) !== undefined;
}

/**
 * A plain array of what `entry` makes of each entry and its index, which may refuse it. Refuses, naming `owner` and `name`,
 * what is no list, and one that cannot be read.
 */
export function readList<T>(
  owner: string,
  name: string,
  domain: string,
  value: unknown,
  entry: (value: unknown, index: number) => T,
): T[] {
  if (!isList(value)) throw new InvalidValueError(owner, name, domain, value);
  const list: T[] = [];
  const length = lengthOf(owner, name, value);
  for (let i = 0; i < length; i++) list.push(entryOf(owner, name, value, i, entry));
  return list;
}

/** As `readList`, of an array: what is not of numbers is in no typed array. */
export function readArray<T>(
  owner: string,
  name: string,
  domain: string,
  value: unknown,
  entry: (value: unknown, index: number) => T,
): T[] {
  if (!isArray(value)) throw new InvalidValueError(owner, name, domain, value);
  return readList(owner, name, domain, value, entry);
}

/** Ids in [0, below) as a plain array, likewise. */
export function readIds(
  owner: string,
  name: string,
  value: unknown,
  below = Number.POSITIVE_INFINITY,
  domain = 'an array of ids',
): number[] {
  return readList(owner, name, domain, value, (id, i) => checkId(owner, `${name}[${i}]`, id, below));
}

/** `id` where it is an integer in [0, below). Throws InvalidValueError, naming `owner` and `name`, otherwise. */
export function checkId(owner: string, name: string, id: unknown, below = Number.POSITIVE_INFINITY): number {
  if (Number.isSafeInteger(id) && (id as number) >= 0 && (id as number) < below) return id as number;
  const domain = Number.isFinite(below) ? `an integer in [0, ${below})` : 'an integer >= 0';
  throw new InvalidValueError(owner, name, domain, id);
}

/** `value` where it is a string, and not the empty one. Throws InvalidValueError, naming `owner` and `name`, otherwise. */
export function checkName(owner: string, name: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new InvalidValueError(owner, name, 'a non-empty string', value);
}

export function checkFunction(owner: string, name: string, value: unknown): void {
  if (typeof value !== 'function') throw new InvalidValueError(owner, name, 'a function', value);
}

function lengthOf(owner: string, name: string, value: ArrayLike<unknown>): number {
  return readable(owner, name, value, () => (ArrayBuffer.isView(value) ? typedArrayLength(value) : value.length));
}

/** A hole is refused even where undefined would do: there may be thousands of millions of them. */
function entryOf<T>(
  owner: string,
  name: string,
  list: ArrayLike<unknown>,
  index: number,
  make: (value: unknown, index: number) => T,
): T {
  const value = valueAt(owner, name, list, index);
  const entry = make(value, index);
  if (value !== undefined || readable(owner, name, list, () => index in list)) return entry;
  throw new InvalidValueError(owner, `${name}[${index}]`, 'there, not a hole', undefined);
}

function valueAt(owner: string, name: string, list: ArrayLike<unknown>, index: number): unknown {
  try {
    return list[index];
  } catch (cause) {
    throw refused(owner, name, list, cause);
  }
}

/** What `read` gives; the refusal of `value` where that throws anything but a refusal. */
export function readable<T>(owner: string, name: string, value: unknown, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw refused(owner, name, value, cause);
  }
}

/** `cause` where that is a refusal; that of `value` otherwise, which threw it. */
export function refused(owner: string, name: string, value: unknown, cause: unknown): InvalidValueError {
  return cause instanceof InvalidValueError ? cause : unreadable(owner, name, value, cause);
}

/** The refusal of what throws when it is looked at, with what it threw as `cause`. */
export function unreadable(owner: string, name: string, value: unknown, cause: unknown): InvalidValueError {
  const error = new InvalidValueError(owner, name, 'a value that can be read', value);
  return Object.defineProperty(error, 'cause', { value: cause, configurable: true, writable: true });
}

/** The length of a list that a caller gave. Not by `readable`: for loops that leave no closures behind. */
export function lengthOfList(owner: string, name: string, list: readonly unknown[]): number {
  try {
    return list.length;
  } catch (cause) {
    throw unreadable(owner, name, list, cause);
  }
}

/** What stands at an index of it, likewise. */
export function elementAt<T>(owner: string, name: string, list: readonly T[], index: number): T {
  try {
    return list[index] as T;
  } catch (cause) {
    throw unreadable(owner, name, list, cause);
  }
}
