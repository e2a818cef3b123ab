/**
 * Grammars in EBNF as xgrammar writes it, which is that of GBNF: rules `name ::= …` with texts in quotes, classes, groups,
 * `|`, `*`, `+`, `?`, `{m}`, `{m,}`, `{m,n}`, and `#` before a comment. The text is that of the rule `root`.
 */
import { InvalidValueError } from '../../../errors.js';
import { type EbnfToken, readTokens } from './ebnf-tokens.js';
import { choice, EMPTY, type Node, ROOT, type Rules, repeat, rule, sequence, set, text } from './node.js';
import { printEbnf } from './print-ebnf.js';
import { productiveRules } from './productive.js';

/** `grammar` as xgrammar gets it right. Throws InvalidValueError, naming the place, for what is none. */
export function exactEbnf(grammar: string): string {
  if (typeof grammar !== 'string') throw new InvalidValueError('Grammars', 'ebnf', 'a string', grammar);
  const rules = productiveRules(new EbnfParser(grammar).parse());
  if (rules !== undefined) return printEbnf(rules);
  throw new InvalidValueError('Grammars', 'ebnf', 'a grammar whose root has a text', grammar);
}

class EbnfParser {
  readonly #tokens: readonly EbnfToken[];
  /** Rules by number, so that no name of a user's meets one of ours. */
  readonly #names = new Map<string, string>();
  #at = 0;

  constructor(readonly grammar: string) {
    this.#tokens = readTokens(grammar, (domain) => this.#refusal(domain));
  }

  parse(): Rules {
    for (const [i, token] of this.#tokens.entries()) if (this.#isHead(i)) this.#define(token);
    if (!this.#names.has(ROOT)) throw this.#refusal('a grammar with a rule named root');
    const rules = new Map<string, Node>();
    while (this.#peek() !== undefined) {
      if (!this.#isHead(this.#at)) throw this.#expected('name ::=');
      const name = this.#names.get((this.#next() as EbnfToken).text) as string;
      this.#next();
      rules.set(name, this.#choice());
    }
    return { rules, called: recursive(rules) };
  }

  #define({ text, place }: EbnfToken): void {
    if (this.#names.has(text)) throw this.#refusal(`a grammar with each rule once (${text} again at ${place})`);
    this.#names.set(text, text === ROOT ? ROOT : `rule${this.#names.size}`);
  }

  #choice(): Node {
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    return choice(...options);
  }

  #sequence(): Node {
    const parts: Node[] = [];
    for (let token = this.#peek(); token !== undefined && !this.#isHead(this.#at); token = this.#peek()) {
      if (token.kind === 'sign' && '|)'.includes(token.text)) break;
      parts.push(this.#repeated(this.#atom()));
    }
    if (parts.length === 0) throw this.#expected('a text, a class, a rule or a group');
    return sequence(...parts);
  }

  #atom(): Node {
    const token = this.#next() as EbnfToken;
    if (token.kind === 'text') return text(token.text);
    if (token.kind === 'class') return set(token.set);
    if (token.kind === 'name') return this.#reference(token);
    if (token.text !== '(') throw this.#expected('a text, a class, a rule or a group', -1);
    if (this.#peek()?.text === ')') return this.#closed(EMPTY);
    return this.#closed(this.#choice());
  }

  #closed(node: Node): Node {
    if (!this.#take(')')) throw this.#expected(')');
    return node;
  }

  #reference({ text, place }: EbnfToken): Node {
    const name = this.#names.get(text);
    if (name === undefined) throw this.#refusal(`a grammar with a rule ${text}, which is used at ${place}`);
    return rule(name);
  }

  #repeated(part: Node): Node {
    const token = this.#peek();
    if (token?.kind !== 'count') return part;
    this.#next();
    if (token.least > token.most) throw this.#expected('a count with its least before its most', -1);
    return this.#repeated(repeat(part, token.least, token.most));
  }

  /** Whether a rule begins at the token. */
  #isHead(at: number): boolean {
    return this.#tokens[at]?.kind === 'name' && this.#tokens[at + 1]?.text === '::=';
  }

  #peek(): EbnfToken | undefined {
    return this.#tokens[this.#at];
  }

  #next(): EbnfToken | undefined {
    return this.#tokens[this.#at++];
  }

  #take(sign: string): boolean {
    const token = this.#peek();
    if (token?.kind !== 'sign' || token.text !== sign) return false;
    this.#at++;
    return true;
  }

  #expected(what: string, offset = 0): InvalidValueError {
    const place = this.#tokens[this.#at + offset]?.place ?? 'the end';
    return this.#refusal(`a grammar with ${what} at ${place}`);
  }

  #refusal(domain: string): InvalidValueError {
    return new InvalidValueError('Grammars', 'ebnf', domain, this.grammar);
  }
}

/** The rules that come to themselves. */
function recursive(rules: ReadonlyMap<string, Node>): ReadonlySet<string> {
  const used = new Map([...rules].map(([name, node]) => [name, new Set(namesIn(node))]));
  const reaches = (from: string): ReadonlySet<string> => {
    const seen = new Set(used.get(from));
    for (const name of seen) for (const next of used.get(name) ?? []) seen.add(next);
    return seen;
  };
  return new Set([...rules.keys()].filter((name) => reaches(name).has(name)));
}

function namesIn(node: Node): string[] {
  if (node.kind === 'rule') return [node.name];
  if (node.kind === 'sequence') return node.parts.flatMap(namesIn);
  if (node.kind === 'choice') return node.options.flatMap(namesIn);
  return node.kind === 'repeat' ? namesIn(node.part) : [];
}
