/**
 * Copies a JSON value from outside, so that later changes of it have no effect, within limits that are counted,
 * so that every machine refuses the same.
 */
import { readArray, readable } from '../../../inputs.js';
import { isArray, isPlainObject } from '../../../kinds.js';
import { at, refusal } from '../refusal.js';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The most values of a schema, arrays and objects included. */
const MOST_VALUES = 20_000;
/** The most characters of its strings and names together. */
const MOST_CHARACTERS = 1 << 20;
/** The most arrays and objects within one another. */
const DEEPEST = 64;

/**
 * `value` copied. Members that are undefined are left out, as JSON.stringify does. Throws InvalidValueError, naming the
 * place, for what is no JSON, and for what is too large or too deep.
 * @param places takes up where each object of the copy stands
 */
export function copyJson(value: unknown, path: string, places = new Map<Json, string>()): Json {
  const copier = new Copier(path, places);
  return readable('Grammars', path, value, () => copier.copy(value, path, 0));
}

class Copier {
  readonly #root: string;
  readonly #places: Map<Json, string>;
  #values = 0;
  #characters = 0;

  constructor(root: string, places: Map<Json, string>) {
    this.#root = root;
    this.#places = places;
  }

  copy(value: unknown, path: string, depth: number): Json {
    if (++this.#values > MOST_VALUES) throw refusal(this.#root, `at most ${MOST_VALUES} values`, `more, at ${path}`);
    if (depth > DEEPEST) throw refusal(path, `at most ${DEEPEST} arrays and objects within one another`, 'more');
    if (typeof value === 'string') return this.#text(value);
    if (value === null || typeof value === 'boolean') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (isArray(value)) {
      return readArray('Grammars', path, 'an array', value, (entry, i) => this.copy(entry, at(path, i), depth + 1));
    }
    if (typeof value === 'object') return this.#object(value, path, depth);
    throw refusal(path, 'a JSON value', value);
  }

  #object(value: object, path: string, depth: number): Json {
    const toJSON: unknown = (value as { toJSON?: unknown }).toJSON;
    if (typeof toJSON === 'function') return this.copy(toJSON.call(value), path, depth + 1);
    if (!isPlainObject(value)) throw refusal(path, 'a JSON value', value); // such as a Map, which JSON has as {}
    const copy: { [key: string]: Json } = {};
    for (const [key, entry] of Object.entries(value)) {
      if (entry === undefined) continue;
      this.#text(key);
      const copied = this.copy(entry, at(path, key), depth + 1);
      // defined, not set: a member may be called __proto__
      Object.defineProperty(copy, key, { value: copied, enumerable: true, configurable: true, writable: true });
    }
    this.#places.set(copy, path);
    return copy;
  }

  #text(text: string): string {
    this.#characters += text.length;
    if (this.#characters > MOST_CHARACTERS) {
      throw refusal(this.#root, `at most ${MOST_CHARACTERS} characters`, 'more');
    }
    if (/\p{Surrogate}/u.test(text)) {
      throw refusal(this.#root, 'text without half a character (a lone surrogate)', text);
    }
    return text;
  }
}
