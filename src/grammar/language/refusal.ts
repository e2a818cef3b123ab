/**
 * What a grammar cannot say: refused by name, or reported where the user asks for that.
 */
import { InvalidValueError } from '../../errors.js';

export const OWNER = 'Grammars';

/** The refusal of `value` at `path`, a JSON pointer behind the parameter's name. */
export function refusal(path: string, domain: string, value: unknown): InvalidValueError {
  return new InvalidValueError(OWNER, path, domain, value);
}

/** The path of `key` below `path`. */
export function at(path: string, key: string | number): string {
  return `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
