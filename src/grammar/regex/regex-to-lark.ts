/**
 * A regular expression of JavaScript, with the flag `u`, as a Lark grammar of the texts that it matches as a whole.
 */
import { InvalidValueError } from '../../errors.js';
import { translate } from './translate.js';

/** Throws InvalidValueError for what is no regular expression, and for what is none of a regular language. */
export function regexToLark(pattern: string): string {
  const refuse = (domain: string) => new InvalidValueError('Grammars', 'regex', domain, pattern);
  if (typeof pattern !== 'string') throw refuse('a regular expression as a string');
  return `start: /${translate(pattern, refuse, { isStrict: true, keepsAnchors: false })}/`;
}
