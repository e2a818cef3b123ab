/**
 * What a text can do with names: write them in escapes, and write one of them twice.
 */
import { isObject, type Schema } from './keywords.js';

/** Whether names that are not listed are counted: nothing keeps a text from writing one of them again. */
export function countsRepeats({ minProperties, properties }: Schema): boolean {
  const listed = isObject(properties) ? Object.keys(properties).length : 0;
  return typeof minProperties === 'number' && minProperties > listed + 1;
}

/** Whether all names that `schema` allows are listed in it, none of them with a character that has two escapes. */
export function areNamesPlain({ properties, patternProperties, additionalProperties }: Schema): boolean {
  if (properties === undefined && patternProperties === undefined) return true;
  const names = isObject(properties) ? Object.keys(properties) : [];
  return additionalProperties === false && !names.some((name) => /\p{Cc}/u.test(name));
}
