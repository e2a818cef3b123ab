/**
 * Regular expressions of JavaScript, written again for the engine.
 *
 * Parsed by regexpp and written for Rust, whose classes are other ones: `\d` and `\w` are Unicode's there, `.` takes `\r`.
 * Which of several ways to match is taken, which is what `*?` says, makes no difference to whether a text matches.
 * Characters of a Unicode property are those of the engine's tables, as in each JavaScript engine those of its own.
 */
import { type AST, RegExpParser, RegExpSyntaxError } from '@eslint-community/regexpp';
import { character, characterClass, characterSet } from './rust-class.js';

const ECMA_VERSION = 2025;
/** As many as are read in a few milliseconds. */
const MOST_CHARACTERS = 5_000;
/** What means something else without the flag `u`: it is not read without it. */
const MEANS_OTHERWISE = /\\[pPk]|\\u\{|[\ud800-\udfff]/;

/** The refusal of a pattern, by the domain that it is not in. */
export type Refuse = (domain: string) => Error;

interface Reading {
  /** Refuses what the flag `u` refuses, such as `\-`; else that is read as it is without the flag. */
  readonly isStrict: boolean;
  /** Keeps `^` and `$`, which are taken at the ends of the alternatives only. Else the pattern matches a text as a whole. */
  readonly keepsAnchors: boolean;
}

/** `pattern` for Rust. Throws what `refuse` gives for what is none, and for what is none of a regular language. */
export function translate(pattern: string, refuse: Refuse, { isStrict, keepsAnchors }: Reading): string {
  if (pattern.length > MOST_CHARACTERS) throw refuse(`at most ${MOST_CHARACTERS} characters`);
  const { alternatives } = parse(pattern, refuse, isStrict);
  const writer = new Writer(refuse);
  return `(?:${alternatives.map((alternative) => writer.outermost(alternative, keepsAnchors)).join('|')})`;
}

function parse(pattern: string, refuse: Refuse, isStrict: boolean): AST.Pattern {
  const parser = new RegExpParser({ ecmaVersion: ECMA_VERSION });
  const read = (unicode: boolean) => parser.parsePattern(pattern, 0, pattern.length, { unicode, unicodeSets: false });
  try {
    return read(true);
  } catch (error) {
    if (!(error instanceof RegExpSyntaxError)) throw error;
    const refusal = refuse(`a regular expression of JavaScript with the flag u (${error.message})`);
    if (isStrict || MEANS_OTHERWISE.test(pattern)) throw refusal;
    try {
      return read(false);
    } catch {
      throw refusal;
    }
  }
}

class Writer {
  constructor(readonly refuse: Refuse) {}

  /** An alternative of the whole pattern. */
  outermost({ elements }: AST.Alternative, keepsAnchors: boolean): string {
    const first = elements[0];
    const from = first?.type === 'Assertion' && first.kind === 'start' ? 1 : 0;
    const last = elements.length > from ? elements.at(-1) : undefined;
    const to = last?.type === 'Assertion' && last.kind === 'end' ? elements.length - 1 : elements.length;
    const text = this.sequence(elements.slice(from, to));
    return keepsAnchors ? `${from > 0 ? '^' : ''}${text}${to < elements.length ? '$' : ''}` : text;
  }

  sequence(elements: readonly AST.Element[]): string {
    return elements.map((element) => this.element(element)).join('');
  }

  element(node: AST.Element): string {
    switch (node.type) {
      case 'Character':
        return character(node.value);
      case 'CharacterSet':
        return characterSet(node);
      case 'CharacterClass':
        return characterClass(node);
      case 'CapturingGroup':
        return this.group(node);
      case 'Group':
        if (node.modifiers !== null) throw this.without('flags within it', node);
        return this.group(node);
      case 'Quantifier':
        return `(?:${this.element(node.element)})${count(node)}`;
      case 'Backreference':
        throw this.without('back-references', node);
      case 'Assertion':
        throw this.without(ASSERTIONS[node.kind], node);
      default:
        throw this.without('sets of the flag v', node);
    }
  }

  group({ alternatives }: AST.CapturingGroup | AST.Group): string {
    return `(?:${alternatives.map(({ elements }) => this.sequence(elements)).join('|')})`;
  }

  without(what: string, { raw, start }: AST.Node): Error {
    return this.refuse(`one without ${what} (${raw} at ${start})`);
  }
}

const ENDS = '^ and $ but at its ends';
const LOOK = 'lookahead and lookbehind';
const ASSERTIONS: Readonly<Record<AST.Assertion['kind'], string>> = {
  start: ENDS,
  end: ENDS,
  lookahead: LOOK,
  lookbehind: LOOK,
  word: 'word boundaries',
};

function count({ min, max }: AST.Quantifier): string {
  return max === Number.POSITIVE_INFINITY ? `{${min},}` : `{${min},${max}}`;
}
