/**
 * Regular expressions as JavaScript reads them with the flag `u`, as far as they describe a language: literals, classes,
 * groups, alternatives and repetitions. What looks around or back (assertions, word boundaries, backreferences) is refused,
 * as are Unicode properties, whose characters are not the same in every engine.
 */
import { InvalidValueError } from '../../../errors.js';
import type { CodePoints, Range } from './code-points.js';
import { choice, type Node, repeat, sequence, set } from './node.js';
import { bracketClass, classEscape, controlEscape, DOT, single } from './regex-classes.js';

/** One of the alternatives on the top level, and whether `^` and `$` bind its ends. */
export interface Alternative {
  readonly node: Node;
  readonly begins: boolean;
  readonly ends: boolean;
}

/** The alternatives of `pattern`. Throws InvalidValueError for `Grammars`, naming `name`. */
export function parseRegex(pattern: string, name: string): readonly Alternative[] {
  if (typeof pattern !== 'string') {
    throw new InvalidValueError('Grammars', name, 'a regular expression as a string', pattern);
  }
  try {
    new RegExp(pattern, 'u');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InvalidValueError('Grammars', name, `a regular expression with the flag u (${reason})`, pattern);
  }
  return new RegexParser(pattern, name).parse();
}

/** Reads a pattern that the engine's own parser let through, so that its syntax needs no more checks. */
class RegexParser {
  readonly #characters: readonly string[];
  #at = 0;

  constructor(
    readonly pattern: string,
    readonly name: string,
  ) {
    this.#characters = [...pattern];
  }

  parse(): readonly Alternative[] {
    const alternatives: Alternative[] = [];
    do {
      const begins = this.#take('^');
      const node = this.#sequence();
      alternatives.push({ node, begins, ends: this.#take('$') });
      if (this.#peek() !== undefined && this.#peek() !== '|') throw this.#unsupported('$ before the end');
    } while (this.#take('|'));
    return alternatives;
  }

  #choice(): Node {
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    return choice(...options);
  }

  #sequence(): Node {
    const parts: Node[] = [];
    for (let next = this.#peek(); next !== undefined && !'|)$'.includes(next); next = this.#peek()) {
      parts.push(this.#repeated(this.#atom()));
    }
    return sequence(...parts);
  }

  #atom(): Node {
    const character = this.#next();
    if (character === '(') return this.#group();
    if (character === '[') return set(this.#bracket());
    if (character === '.') return set(DOT);
    if (character === '^') throw this.#unsupported('^ after the beginning');
    if (character === '\\') return set(this.#escape(false));
    return set(single(character.codePointAt(0) as number));
  }

  #group(): Node {
    if (this.#take('?')) {
      const kind = this.#next();
      if (kind === '<' && !'=!'.includes(this.#peek() as string)) while (this.#next() !== '>');
      else if (kind !== ':')
        throw this.#unsupported(kind === '=' || kind === '!' ? 'lookahead' : (GROUPS[kind] ?? 'flags'));
    }
    const node = this.#choice();
    if (this.#peek() === '$') throw this.#unsupported('$ in a group');
    this.#next();
    return node;
  }

  #repeated(part: Node): Node {
    const [least, most] = this.#bounds() ?? [];
    if (least === undefined || most === undefined) return part;
    this.#take('?'); // which text is found first is of no concern: all of them are in the language
    return repeat(part, least, most);
  }

  #bounds(): readonly [number, number] | undefined {
    if (this.#take('*')) return [0, Infinity];
    if (this.#take('+')) return [1, Infinity];
    if (this.#take('?')) return [0, 1];
    if (!this.#take('{')) return undefined;
    const [least = '', most] = this.#until('}').split(',');
    return [Number(least), most === undefined ? Number(least) : most === '' ? Infinity : Number(most)];
  }

  #bracket(): CodePoints {
    const negated = this.#take('^');
    const ranges: Range[] = [];
    while (!this.#take(']')) {
      const low = this.#member();
      const isRange = this.#peek() === '-' && this.#characters[this.#at + 1] !== ']';
      if (!isRange) ranges.push(...low);
      else {
        this.#next();
        ranges.push([low[0]?.[0] as number, this.#member()[0]?.[1] as number]);
      }
    }
    return bracketClass(ranges, negated);
  }

  #member(): CodePoints {
    const character = this.#next();
    if (character === '\\') return this.#escape(true);
    const codePoint = character.codePointAt(0) as number;
    return [[codePoint, codePoint]];
  }

  #escape(inClass: boolean): CodePoints {
    const letter = this.#next();
    if (/[1-9k]/.test(letter)) throw this.#unsupported('backreferences');
    if (/[pP]/.test(letter)) throw this.#unsupported('Unicode properties, which differ between engines');
    if (/[bB]/.test(letter) && !inClass) throw this.#unsupported('word boundaries');
    const codePoint = letter === 'b' ? 8 : (controlEscape(letter) ?? this.#coded(letter));
    return classEscape(letter) ?? (inClass ? [[codePoint, codePoint]] : single(codePoint));
  }

  /** `\x41`, `\u0041`, `\u{41}`, `\cA`, or a character that stands for itself. */
  #coded(letter: string): number {
    if (letter === 'c') return (this.#next().codePointAt(0) as number) % 32;
    if (letter === 'x') return this.#hex(2);
    if (letter !== 'u') return letter.codePointAt(0) as number;
    if (this.#take('{')) return Number.parseInt(this.#until('}'), 16);
    const first = this.#hex(4);
    const rest = this.#characters.slice(this.#at, this.#at + 6).join('');
    if (!(first >= 0xd800 && first <= 0xdbff && /^\\u[dD][c-fC-F]/.test(rest))) return first;
    this.#at += 2;
    return 0x10000 + ((first - 0xd800) << 10) + (this.#hex(4) - 0xdc00);
  }

  #hex(digits: number): number {
    this.#at += digits;
    return Number.parseInt(this.#characters.slice(this.#at - digits, this.#at).join(''), 16);
  }

  #until(end: string): string {
    const from = this.#at;
    while (this.#next() !== end);
    return this.#characters.slice(from, this.#at - 1).join('');
  }

  #peek(): string | undefined {
    return this.#characters[this.#at];
  }

  #next(): string {
    return this.#characters[this.#at++] as string;
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at++;
    return true;
  }

  #unsupported(what: string): InvalidValueError {
    const domain = `a regular expression of a whole text, without ${what}`;
    return new InvalidValueError('Grammars', this.name, domain, this.pattern);
  }
}

const GROUPS: Readonly<Record<string, string>> = { '<': 'lookbehind' };
