/**
 * What a grammar cannot say: refused by name, or reported where the user asks for that.
 */
import { InvalidValueError } from '../../errors.js';

export const OWNER = 'Grammars';

/** The refusal of `value` at `path`, a JSON pointer behind the parameter's name. */
export function refusal(path: string, domain: string, value: unknown): InvalidValueError {
  return new InvalidValueError(OWNER, path, domain, value);
}

/** What a grammar does not enforce of a schema, although it was compiled. */
export interface GrammarWarning {
  /** Such as `uniqueItems`. */
  readonly keyword: string;
  /** Where it stands: a JSON pointer (RFC 6901) from the schema's root, of tools from their list; names are cut to 200 characters. */
  readonly place: string;
  /** What becomes of it. */
  readonly reason: string;
}

/** The warning of `keyword` in the schema at `path`, a JSON pointer behind the parameter's name. */
export function warning(path: string, keyword: string, reason: string): GrammarWarning {
  const place = at(path, keyword);
  return { keyword, place: place.slice(place.indexOf('/')), reason };
}

/** The most characters of a name in a path: of a longer one the beginning is there. */
const LONGEST_NAME = 200;

/** The path of `key` below `path`. */
export function at(path: string, key: string | number): string {
  const name = String(key);
  const shown = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;
  const isPlain = !shown.includes('~') && !shown.includes('/'); // asked first: a large schema has tens of thousands of paths
  return `${path}/${isPlain ? shown : shown.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
