/**
 * JSON's strings: what stands between the quotes, and regular expressions over what it means.
 */
import { type CodePoints, complement, contains, intersect, UNICODE } from './code-points.js';
import { choice, type Node, oneOf, repeat, sequence, set, text } from './node.js';
import type { Alternative } from './regex-parser.js';

/** Characters that stand for themselves: all but the control characters, the quote and the backslash. */
export const PLAIN: CodePoints = complement([
  [0, 0x1f],
  [0x22, 0x22],
  [0x5c, 0x5c],
]);
const ESCAPED: readonly (readonly [letter: string, codePoint: number])[] = [
  ['"', 0x22],
  ['\\', 0x5c],
  ['b', 8],
  ['f', 12],
  ['n', 10],
  ['r', 13],
  ['t', 9],
];
const HEX = oneOf('0123456789abcdefABCDEF');

/** `\u` and four digits; two of them where they are a pair of surrogates, which are one character together. */
const CODED = choice(
  sequence(
    text('\\u'),
    choice(sequence(oneOf('0123456789abcABCefEF'), HEX), sequence(oneOf('dD'), oneOf('01234567'))),
    HEX,
    HEX,
  ),
  sequence(text('\\u'), oneOf('dD'), oneOf('89abAB'), HEX, HEX, text('\\u'), oneOf('dD'), oneOf('cdefCDEF'), HEX, HEX),
);

/** One character as a string may write it; never half of a surrogate pair. */
export const CHARACTER = choice(set(PLAIN), sequence(text('\\'), oneOf('"\\/bfnrt')), CODED);

/** One character in its shortest form: as it is, or with a letter behind a backslash. */
export const SHORT_CHARACTER = characters(UNICODE);

export function quoted(content: Node): Node {
  return sequence(text('"'), content, text('"'));
}

/** Strings in which a match of the alternatives stands; `anything` is a run of characters. */
export function matching(alternatives: readonly Alternative[], anything: Node): Node {
  const options = alternatives.map(({ node, begins, ends }) =>
    sequence(...(begins ? [] : [anything]), inString(node), ...(ends ? [] : [anything])),
  );
  return quoted(choice(...options));
}

/** A grammar of characters as it is written in a string, each character in its shortest form. */
export function inString(node: Node): Node {
  switch (node.kind) {
    case 'set':
      return characters(node.set);
    case 'sequence':
      return sequence(...node.parts.map(inString));
    case 'choice':
      return choice(...node.options.map(inString));
    case 'repeat':
      return repeat(inString(node.part), node.least, node.most);
    default:
      return node;
  }
}

/** Control characters without a letter of their own are left out: a string need not have them. */
function characters(points: CodePoints): Node {
  const letters = ESCAPED.filter(([, codePoint]) => contains(points, codePoint)).map(([letter]) => text(`\\${letter}`));
  return choice(set(intersect(points, PLAIN)), ...letters);
}
