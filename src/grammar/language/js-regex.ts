/**
 * JavaScript's regular expressions, with the flag `u`, in the syntax of Rust's `regex` crate, which the engine reads.
 *
 * The result always describes whole texts: it holds no anchor. Where `pattern` may match anywhere in a text, what is not
 * anchored is padded with any text. Every class is spelled out, as `\d`, `\w`, `\s` and `.` mean other characters in Rust.
 * Lone surrogates are in no UTF-8 text, so they match nothing.
 */
import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { InvalidValueError } from '../../errors.js';
import { characterSet } from './character-set.js';
import { isSurrogate, rustCharacter, rustRange, rustTimes } from './rust-class.js';

/** Whether a pattern describes the whole text, or what is somewhere in it. */
export type MatchKind = 'whole' | 'anywhere';

/** The most characters of a pattern. */
export const LONGEST_PATTERN = 5000;

/** The most groups within one another: they are read on the stack, whose size differs from machine to machine. */
export const DEEPEST = 250;

/** What means letters of its own without the flag `u`: it is not read without it. */
const MEANS_OTHERWISE = /\\[pPk]|\\u\{/;

const OWNER = 'Grammars';
const ANY_TEXT = '[\\x{0}-\\x{10ffff}]*';
/** A class without a member. */
const NOTHING = '[a&&b]';
const NUL = '\0';
/** Both neighbours of the surrogates, as a range. */
const AROUND_SURROGATES = '\\x{d7ff}-\\x{e000}';

/**
 * `pattern` in Rust's syntax. Throws InvalidValueError, naming `parameter`, for what is no regular expression and for
 * what the engine cannot match: look-around, word boundaries, back-references, anchors within a repetition.
 */
export function rustRegex(pattern: string, parameter: string, kind: MatchKind): string {
  if (typeof pattern !== 'string') throw new InvalidValueError(OWNER, parameter, 'a string', pattern);
  if (pattern.length > LONGEST_PATTERN) {
    throw new InvalidValueError(OWNER, parameter, `at most ${LONGEST_PATTERN} characters`, pattern.length);
  }
  if (depthOf(pattern) > DEEPEST) {
    throw new InvalidValueError(OWNER, parameter, `at most ${DEEPEST} groups within one another`, pattern);
  }
  return new Translator(pattern, parameter, kind).translate();
}

/** How many groups are open at most, or more where a class without the flag u holds `[`. */
export function depthOf(pattern: string): number {
  let [depth, most, isClass] = [0, 0, false];
  for (const [sign] of pattern.matchAll(/\\.|[[\]()]/gs)) {
    if (sign === '[') isClass = true;
    else if (sign === ']') isClass = false;
    else if (!isClass && sign === '(') most = Math.max(most, ++depth);
    else if (!isClass && sign === ')') depth--;
  }
  return most;
}

/** Where an element stands: whether nothing is before it, and nothing behind it. */
interface Place {
  readonly first: boolean;
  readonly last: boolean;
}

const INSIDE: Place = { first: false, last: false };

class Translator {
  readonly #pattern: string;
  readonly #parameter: string;
  readonly #kind: MatchKind;
  readonly #padding: string;
  #flags = 'u';
  /** By how they are written. */
  readonly #sets = new Map<string, RegExp>();

  constructor(pattern: string, parameter: string, kind: MatchKind) {
    this.#pattern = pattern;
    this.#parameter = parameter;
    this.#kind = kind;
    this.#padding = kind === 'anywhere' ? ANY_TEXT : '';
  }

  translate(): string {
    return this.#alternatives(this.#parse().alternatives, { first: true, last: true });
  }

  /** With the flag u; a schema's pattern that only reads without it, as many do (`\\-`), without it. */
  #parse(): AST.Pattern {
    const parser = new RegExpParser({ ecmaVersion: 2025 });
    const parse = (unicode: boolean) => parser.parsePattern(this.#pattern, 0, this.#pattern.length, { unicode });
    try {
      return parse(true);
    } catch (error) {
      const isPlain =
        this.#kind === 'anywhere' &&
        /^[\0-\uffff]*$/.test(this.#pattern) &&
        !/\p{Surrogate}/u.test(this.#pattern) &&
        !MEANS_OTHERWISE.test(this.#pattern);
      if (isPlain) {
        try {
          const plain = parse(false);
          this.#flags = '';
          return plain;
        } catch {
          // the first refusal says more
        }
      }
      throw this.#refusal(`a regular expression with the flag u (${(error as Error).message})`);
    }
  }

  #alternatives(alternatives: readonly AST.Alternative[], place: Place): string {
    return alternatives.map((alternative) => this.#sequence(alternative.elements, place)).join('|');
  }

  /** The elements one after another, padded where they begin or end the pattern without an anchor. */
  #sequence(elements: readonly AST.Element[], { first, last }: Place): string {
    const end = elements.length - 1;
    const isAnchored = (i: number, kind: 'start' | 'end') => isAnchor(elements[i], kind);
    const from = first && isAnchored(0, 'start') ? 1 : 0;
    const to = last && end >= from && isAnchored(end, 'end') ? end : end + 1;
    const parts: string[] = [];
    for (let i = from; i < to; i++) {
      const place = { first: first && i === 0 && from === 0, last: last && i === end && to === end + 1 };
      parts.push(this.#padded(elements[i] as AST.Element, place));
    }
    if (parts.length > 0) return parts.join('');
    const isFree = (first && from === 0) || (last && to > end); // anchors alone: `^` lets anything follow
    return isFree ? this.#padding : '';
  }

  #padded(element: AST.Element, place: Place): string {
    if (isGroup(element)) return `(?:${this.#alternatives(element.alternatives, place)})`;
    const text = this.#element(element);
    return `${place.first ? this.#padding : ''}${text}${place.last ? this.#padding : ''}`;
  }

  #element(element: AST.Element): string {
    switch (element.type) {
      case 'Character':
        return isSurrogate(element.value) ? NOTHING : this.#quotable(element, rustCharacter(element.value));
      case 'CharacterSet':
        return this.#quotable(element, characterSet(element));
      case 'CharacterClass':
        return this.#quotable(element, this.#characterClass(element));
      case 'Group':
      case 'CapturingGroup':
        if ('modifiers' in element && element.modifiers !== null) throw this.#unsupported(element, 'modifiers');
        return `(?:${this.#alternatives(element.alternatives, INSIDE)})`;
      case 'Quantifier':
        return `(?:${this.#element(element.element)})${rustTimes(element.min, element.max)}`;
      case 'Assertion':
        throw this.#unsupported(element, assertionName(element));
      case 'Backreference':
        throw this.#unsupported(element, 'a back-reference');
      default:
        throw this.#unsupported(element, element.type);
    }
  }

  #characterClass(node: AST.CharacterClass): string {
    const members = node.elements.map((member) => {
      if (member.type === 'Character') return isSurrogate(member.value) ? '' : rustCharacter(member.value);
      if (member.type === 'CharacterClassRange') return rustRange(member.min.value, member.max.value);
      if (member.type === 'CharacterSet') return characterSet(member);
      throw this.#unsupported(node, 'set notation');
    });
    const inside = members.join('');
    if (inside === '') return node.negate ? '[\\x{0}-\\x{10ffff}]' : NOTHING;
    return node.negate ? this.#negated(node, inside) : `[${inside}]`;
  }

  /** Where a range ends before the surrogates and another begins behind them, Rust's negation lets in what is between. */
  #negated(node: AST.CharacterClass, inside: string): string {
    const isAround = !this.#matches(node, '\ud7ff') && !this.#matches(node, '\ue000');
    return `[^${inside}${isAround ? AROUND_SURROGATES : ''}]`;
  }

  /**
   * One character of a JSON string. Of a class of all control characters the engine takes it that a quote and a backslash
   * are in it, too; where they are not, U+0000 is left out, so that it looks at each.
   */
  #quotable(node: AST.Character | AST.CharacterSet | AST.CharacterClass, text: string): string {
    if (this.#kind === 'whole' || !this.#matches(node, NUL)) return text;
    const isWhole = this.#matches(node, '"') && this.#matches(node, '\\');
    return isWhole ? text : `[${text}&&[^\\x{0}]]`;
  }

  #matches(node: AST.Character | AST.CharacterSet | AST.CharacterClass, character: string): boolean {
    if (node.type === 'Character') return node.value === character.charCodeAt(0);
    const set = this.#sets.get(node.raw) ?? new RegExp(`^${node.raw}$`, this.#flags);
    this.#sets.set(node.raw, set);
    return set.test(character);
  }

  #unsupported(node: AST.Node, what: string): InvalidValueError {
    return this.#refusal(`without ${what}, which no grammar says (${node.raw} at ${node.start})`);
  }

  #refusal(domain: string): InvalidValueError {
    return new InvalidValueError(OWNER, this.#parameter, domain, this.#pattern);
  }
}

function isGroup(element: AST.Element): element is AST.Group | AST.CapturingGroup {
  return element.type === 'CapturingGroup' || (element.type === 'Group' && element.modifiers === null);
}

function isAnchor(element: AST.Element | undefined, kind: 'start' | 'end'): boolean {
  return element?.type === 'Assertion' && element.kind === kind;
}

function assertionName(node: AST.Assertion): string {
  if (node.kind === 'start' || node.kind === 'end') return 'an anchor inside';
  return node.kind === 'word' ? 'a word boundary' : 'look-around';
}
