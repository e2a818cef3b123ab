/**
 * JSON of values from outside, which may have cycles, or unfold without end where parts of them are shared.
 */
import { InvalidValueError } from './errors.js';
import { readArray, readable } from './inputs.js';
import { isArray, isPlainObject } from './kinds.js';

const DEEPEST = 500;
const MOST = 1_000_000;

/**
 * `value` without spaces, fields that are undefined left out; with `isSorted` the keys of objects in ascending order of their
 * UTF-16 units, else in their own. Throws InvalidValueError, naming `owner` and the way to it from `name`, for what JSON
 * does not hold, and for more than 500 levels or a million values.
 */
export function writeJson(owner: string, name: string, value: unknown, isSorted: boolean): string {
  return new JsonWriter(owner, isSorted).write(value, name, 0);
}

class JsonWriter {
  readonly #owner: string;
  readonly #isSorted: boolean;
  /** How many values may still be written: a shared one counts each time that it occurs. */
  #left = MOST;

  constructor(owner: string, isSorted: boolean) {
    this.#owner = owner;
    this.#isSorted = isSorted;
  }

  write(value: unknown, name: string, depth: number): string {
    if (depth > DEEPEST || this.#left-- === 0) {
      throw new InvalidValueError(this.#owner, name, `at most ${DEEPEST} deep and ${MOST} values`, value);
    }
    if (isArray(value)) return this.#writeArray(value, name, depth);
    if (isPlainObject(value)) return this.#writeObject(value, name, depth);
    if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) {
      return JSON.stringify(value);
    }
    throw new InvalidValueError(this.#owner, name, 'a value that JSON holds', value);
  }

  #writeArray(value: readonly unknown[], name: string, depth: number): string {
    const write = (entry: unknown, i: number) => this.write(entry, `${name}[${i}]`, depth + 1);
    return `[${readArray(this.#owner, name, 'an array', value, write).join(',')}]`;
  }

  #writeObject(value: Readonly<Record<string, unknown>>, name: string, depth: number): string {
    const fields = readable(this.#owner, name, value, () => Object.entries(value));
    const there = fields.filter(([, field]) => field !== undefined);
    if (this.#isSorted) there.sort(([a], [b]) => (a < b ? -1 : 1));
    const texts = there.map(
      ([key, field]) => `${JSON.stringify(key)}:${this.write(field, `${name}.${key}`, depth + 1)}`,
    );
    return `{${texts.join(',')}}`;
  }
}
