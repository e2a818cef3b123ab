/**
 * A fingerprint of JSON values: SHA-256 of the one way of writing a value, so that equal values have equal fingerprints
 * whatever the order of their keys.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { InvalidValueError } from '../errors.js';
import { readable } from '../inputs.js';
import { isPlainObject } from '../kinds.js';

/** What a chain as data may come to: more is no chain, but a cycle or a graph that unfolds without end. */
const DEEPEST = 500;
const MOST = 1_000_000;

/** SHA-256 of `canonicalJson(value)` in UTF-8, 64 hexadecimal digits. */
export function fingerprint(value: unknown, name = 'value'): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(value, name))));
}

/**
 * `value` as JSON without spaces, the keys of objects in ascending order of their UTF-16 units and fields that are
 * undefined left out. It survives JSON: parsed, it is written the same again.
 * Throws InvalidValueError, naming `name` and the way to it, for what JSON does not hold: NaN, an infinity, a function, an
 * instance of a class.
 */
export function canonicalJson(value: unknown, name = 'value'): string {
  return readable('fingerprint', name, value, () => write(value, name, 0, { left: MOST }));
}

/** @param budget how many values may still be written: shared ones are written each time that they occur */
function write(value: unknown, name: string, depth: number, budget: { left: number }): string {
  if (depth > DEEPEST || budget.left-- === 0) {
    throw new InvalidValueError('fingerprint', name, `at most ${DEEPEST} deep and ${MOST} values`, value);
  }
  if (Array.isArray(value)) {
    return `[${value.map((entry, i) => write(entry, `${name}[${i}]`, depth + 1, budget)).join(',')}]`;
  }
  if (isPlainObject(value)) {
    const keys = Object.keys(value).filter((key) => value[key] !== undefined);
    return `{${keys
      .sort()
      .map((key) => `${JSON.stringify(key)}:${write(value[key], `${name}.${key}`, depth + 1, budget)}`)
      .join(',')}}`;
  }
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) {
    return JSON.stringify(value);
  }
  throw new InvalidValueError('fingerprint', name, 'a value that JSON holds', value);
}
