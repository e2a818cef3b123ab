/**
 * Who a model or a tokenizer is, as a saved request remembers it.
 */
import { InvalidValueError } from '../errors.js';

/** `id` where it is one; undefined where a model or a tokenizer does not say. */
export function checkedId(owner: string, name: string, id: unknown): string | undefined {
  if (id === undefined || (typeof id === 'string' && id !== '')) return id;
  throw new InvalidValueError(owner, name, 'a non-empty string or absent', id);
}
