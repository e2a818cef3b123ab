/**
 * A fingerprint of JSON values: SHA-256 of the one way of writing a value, so that equal values have equal fingerprints
 * whatever the order of their keys.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { InvalidValueError } from '../errors.js';

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
  if (Array.isArray(value)) return `[${value.map((entry, i) => canonicalJson(entry, `${name}[${i}]`)).join(',')}]`;
  if (isPlain(value)) {
    const keys = Object.keys(value).filter((key) => value[key] !== undefined);
    return `{${keys
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key], `${name}.${key}`)}`)
      .join(',')}}`;
  }
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) {
    return JSON.stringify(value);
  }
  throw new InvalidValueError('fingerprint', name, 'a value that JSON holds', value);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
