/**
 * What is refused of a schema, with its place in it.
 */
import { InvalidValueError } from '../../errors.js';

/** Keys and indices from the root to a value. */
export type Place = readonly (string | number)[];

/** `json_schema/properties/a~1b/format`: the parameter, and a JSON pointer in it. */
export function refusal(place: Place, domain: string, value: unknown): InvalidValueError {
  const pointer = place.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  return new InvalidValueError('Grammars', `json_schema${pointer}`, domain, value);
}
