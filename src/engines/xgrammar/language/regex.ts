/**
 * Regular expressions as grammars of the whole text: `a|b` is what `^(?:a|b)$` finds.
 */
import { InvalidValueError } from '../../../errors.js';
import { choice, ROOT } from './node.js';
import { printEbnf } from './print-ebnf.js';
import { productiveRules } from './productive.js';
import { parseRegex } from './regex-parser.js';

/** The EBNF of `pattern`. Throws InvalidValueError for one that is no regular expression or describes no text. */
export function regexToEbnf(pattern: string): string {
  const node = choice(...parseRegex(pattern, 'regex').map((alternative) => alternative.node));
  const rules = productiveRules({ rules: new Map([[ROOT, node]]), called: new Set() });
  if (rules !== undefined) return printEbnf(rules);
  throw new InvalidValueError('Grammars', 'regex', 'a regular expression that some text matches', pattern);
}
