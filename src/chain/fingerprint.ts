/**
 * A fingerprint of JSON values: SHA-256 of the one way of writing a value, so that equal values have equal fingerprints
 * whatever the order of their keys.
 */
import { writeJson } from '../json.js';
import { sha256 } from '../sha256.js';

/** SHA-256 of `canonicalJson(value)` in UTF-8, 64 hexadecimal digits. */
export function fingerprint(value: unknown, name = 'value'): string {
  return sha256(canonicalJson(value, name));
}

/**
 * `value` as JSON without spaces, the keys of objects in ascending order of their UTF-16 units and fields that are
 * undefined left out. It survives JSON: parsed, it is written the same again.
 * Throws InvalidValueError, naming `name` and the way to it, for what JSON does not hold: NaN, an infinity, a function, an
 * instance of a class; and for more than a chain can come to.
 */
export function canonicalJson(value: unknown, name = 'value'): string {
  return writeJson('fingerprint', name, value, true);
}
