/**
 * A regular expression of JavaScript, with the flag `u`, as a Lark grammar of the texts that it matches as a whole.
 *
 * Parsed by regexpp and written again for Rust, whose classes are other ones: `\d` and `\w` are Unicode's there, `.` takes
 * `\r`. Which of several ways to match is taken, which is what `*?` says, makes no difference to a whole match. Characters
 * of a Unicode property are those of the engine's tables, as in each JavaScript engine those of its own.
 */
import { type AST, RegExpParser, RegExpSyntaxError } from '@eslint-community/regexpp';
import { InvalidValueError } from '../../errors.js';
import { character, characterClass, characterSet } from './rust-class.js';

const ECMA_VERSION = 2025;
/** As many as a schema's pattern may have. */
const MOST_CHARACTERS = 5_000;

/** Throws InvalidValueError for what is no regular expression, and for what is none of a regular language. */
export function regexToLark(pattern: string): string {
  if (typeof pattern !== 'string') throw refusal('a regular expression as a string', pattern);
  if (pattern.length > MOST_CHARACTERS) throw refusal(`at most ${MOST_CHARACTERS} characters`, pattern);
  const { alternatives } = parse(pattern);
  return `start: /(?:${alternatives.map(outermost).join('|')})/`;
}

function parse(pattern: string): AST.Pattern {
  try {
    const parser = new RegExpParser({ ecmaVersion: ECMA_VERSION });
    return parser.parsePattern(pattern, 0, pattern.length, { unicode: true, unicodeSets: false });
  } catch (error) {
    if (!(error instanceof RegExpSyntaxError)) throw error;
    throw refusal(`a regular expression of JavaScript with the flag u (${error.message})`, pattern);
  }
}

/** An alternative of the whole: `^` before it and `$` behind it say nothing that a whole match does not. */
function outermost({ elements }: AST.Alternative): string {
  const first = elements[0];
  const from = first?.type === 'Assertion' && first.kind === 'start' ? 1 : 0;
  const last = elements.length > from ? elements.at(-1) : undefined;
  const to = last?.type === 'Assertion' && last.kind === 'end' ? elements.length - 1 : elements.length;
  return elements.slice(from, to).map(write).join('');
}

function write(node: AST.Element): string {
  switch (node.type) {
    case 'Character':
      return character(node.value);
    case 'CharacterSet':
      return characterSet(node);
    case 'CharacterClass':
      return characterClass(node);
    case 'CapturingGroup':
      return group(node);
    case 'Group':
      if (node.modifiers !== null) throw unsupported(node, 'flags within it');
      return group(node);
    case 'Quantifier':
      return `(?:${write(node.element)})${count(node)}`;
    case 'Backreference':
      throw unsupported(node, 'back-references');
    case 'Assertion':
      throw unsupported(node, node.kind === 'word' ? 'word boundaries' : anchors(node));
    default:
      throw unsupported(node, 'sets of the flag v');
  }
}

function anchors({ kind }: AST.Assertion): string {
  return kind === 'start' || kind === 'end' ? '^ and $ but at its ends' : 'lookahead and lookbehind';
}

function group({ alternatives }: AST.CapturingGroup | AST.Group): string {
  return `(?:${alternatives.map(({ elements }) => elements.map(write).join('')).join('|')})`;
}

function count({ min, max }: AST.Quantifier): string {
  return max === Number.POSITIVE_INFINITY ? `{${min},}` : `{${min},${max}}`;
}

function unsupported(node: AST.Node, what: string): InvalidValueError {
  return refusal(
    `one without ${what} (${node.raw} at ${node.start})`,
    node.parent === null ? node.raw : rootOf(node).raw,
  );
}

function rootOf(node: AST.Node): AST.Node {
  let root = node;
  while (root.parent !== null) root = root.parent as AST.Node;
  return root;
}

function refusal(domain: string, value: unknown): InvalidValueError {
  return new InvalidValueError('Grammars', 'regex', domain, value);
}
