/**
 * Who a model or a tokenizer is, as a saved request remembers it.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { InvalidValueError } from '../errors.js';

/** SHA-256 of `parts` one after the other, texts in UTF-8: 64 hexadecimal digits. */
export function hashOf(...parts: readonly (string | Uint8Array)[]): string {
  const hash = sha256.create();
  for (const part of parts) hash.update(typeof part === 'string' ? utf8ToBytes(part) : part);
  return bytesToHex(hash.digest());
}

/** `id` where it is one; undefined where a model or a tokenizer does not say. */
export function checkedId(owner: string, name: string, id: unknown): string | undefined {
  if (id === undefined || (typeof id === 'string' && id !== '')) return id;
  throw new InvalidValueError(owner, name, 'a non-empty string or absent', id);
}
