/**
 * Reads a grammar in EBNF, as llama.cpp's GBNF and xgrammar write it: rules `name ::= …` with texts in quotes, classes,
 * groups, `|`, `*`, `+`, `?`, `{m}`, `{m,}`, `{m,n}`, `.` for any character, and `#` before a comment.
 */
import { type Node, ROOT, type Rules, sequence } from './node.js';
import { type Refuse, readTokens, type Token } from './tokens.js';

/** The most rules of a grammar. */
const MOST_RULES = 2000;
/** The most times that a group is repeated by a count. */
const MOST_TIMES = 5000;
/** The most groups within one another. */
const DEEPEST = 250;
const ATOM = 'a text, a class, a rule or a group';

/** The rules of `source`, each used one defined. `refuse` makes the error for what is no grammar. */
export function parseEbnf(source: string, refuse: Refuse): Rules {
  return new Parser(readTokens(source, refuse), refuse).parse();
}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #refuse: Refuse;
  readonly #names = new Set<string>();
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], refuse: Refuse) {
    this.#tokens = tokens;
    this.#refuse = refuse;
  }

  parse(): Rules {
    for (const [i, token] of this.#tokens.entries()) if (this.#isHead(i)) this.#define(token);
    if (this.#names.size > MOST_RULES) throw this.#refuse(`a grammar with at most ${MOST_RULES} rules`);
    if (!this.#names.has(ROOT)) throw this.#refuse(`a grammar with a rule named ${ROOT}`);
    const rules = new Map<string, Node>();
    while (this.#peek() !== undefined) {
      if (!this.#isHead(this.#at)) throw this.#expected('name ::=');
      const { text } = this.#next() as Token;
      this.#next();
      rules.set(text, this.#choice());
    }
    return rules;
  }

  #define({ text, place }: Token): void {
    if (this.#names.has(text)) throw this.#refuse(`a grammar with each rule once (${text} again at ${place})`);
    this.#names.add(text);
  }

  #choice(): Node {
    const found = new Set([this.#sequence()]); // in which the empty text is once
    while (this.#take('|')) found.add(this.#sequence());
    const options = [...found];
    return options.length === 1 ? (options[0] as Node) : { kind: 'choice', options };
  }

  /** An alternative; one without anything is the empty text. */
  #sequence(): Node {
    const parts: Node[] = [];
    for (let token = this.#peek(); token !== undefined && !this.#isHead(this.#at); token = this.#peek()) {
      if (token.kind === 'sign' && '|)'.includes(token.text)) break;
      parts.push(this.#repeated(this.#atom()));
    }
    return sequence(parts);
  }

  #atom(): Node {
    const token = this.#next() as Token;
    if (token.kind === 'text') return sequence([...token.text].map(character));
    if (token.kind === 'class') return { kind: 'class', set: token.set };
    if (token.kind === 'name') return this.#reference(token);
    if (token.text !== '(') throw this.#expected(ATOM, -1);
    if (++this.#depth > DEEPEST) throw this.#expected(`at most ${DEEPEST} groups within one another`, -1);
    const inside = this.#choice();
    this.#depth--;
    if (!this.#take(')')) throw this.#expected(')');
    return inside;
  }

  #reference({ text, place }: Token): Node {
    if (!this.#names.has(text)) throw this.#refuse(`a grammar with a rule ${text}, which is used at ${place}`);
    return { kind: 'rule', name: text };
  }

  #repeated(part: Node): Node {
    let repeated = part;
    for (let token = this.#peek(); token?.kind === 'count'; token = this.#peek()) {
      this.#next();
      const { least, most } = token;
      if (least > most) throw this.#expected('a count with its least before its most', -1);
      if (Math.max(least, Number.isFinite(most) ? most : 0) > MOST_TIMES) {
        throw this.#expected(`counts up to ${MOST_TIMES}`, -1);
      }
      repeated = { kind: 'repeat', part: repeated, least, most };
    }
    return repeated;
  }

  /** Whether a rule begins at the token. */
  #isHead(at: number): boolean {
    return this.#tokens[at]?.kind === 'name' && this.#tokens[at + 1]?.text === '::=';
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#at];
  }

  #next(): Token | undefined {
    return this.#tokens[this.#at++];
  }

  #take(sign: string): boolean {
    const token = this.#peek();
    if (token?.kind !== 'sign' || token.text !== sign) return false;
    this.#at++;
    return true;
  }

  #expected(what: string, offset = 0): Error {
    const place = this.#tokens[this.#at + offset]?.place ?? 'the end';
    return this.#refuse(`a grammar with ${what} at ${place}`);
  }
}

function character(text: string): Node {
  const code = text.codePointAt(0) as number;
  return { kind: 'class', set: [[code, code]] };
}
