/**
 * Grammars in EBNF in the engine's Lark: regular parts as regular expressions, the rest as rules.
 */
import { rustText } from '../rust-class.js';
import { rustClass } from './code-points.js';
import { finiteRules, type Node, ROOT, type Rules, reachedRules } from './node.js';
import type { Spend } from './steps.js';
import { Terminals } from './terminals.js';

/** The most characters of a regular expression; a longer one is written as rules. */
const LONGEST = 20_000;

/** The grammar in the engine's Lark. */
export function printRules(rules: Rules, spend: Spend): string {
  return new Printer(rules, spend).print();
}

/** A grammar of one regular expression in Rust's syntax. */
export function larkOfRegex(regex: string): string {
  return `start: /(?:${regex})/`;
}

class Printer {
  readonly #rules: Rules;
  readonly #regexes = new Map<Node, string>();
  readonly #lengths = new Map<Node, number>();
  readonly #terminals: Terminals;
  /** Rules by number, so that no name of a user's means something to the engine. */
  readonly #numbers = new Map<string, string>([[ROOT, 'start']]);

  constructor(rules: Rules, spend: Spend) {
    const reached = reachedRules(rules);
    this.#rules = new Map([...rules].filter(([name]) => reached.has(name)));
    const regex = (node: Node) => (this.#length(node) > LONGEST ? undefined : this.#regex(node));
    this.#terminals = new Terminals(this.#rules, finiteRules(this.#rules), regex, spend);
  }

  print(): string {
    const lines: string[] = [];
    for (const [name, number] of this.#numbers) lines.push(`${number}: ${this.#node(this.#rules.get(name) as Node)}`);
    return lines.join('\n');
  }

  /** A part as the right side of a rule; rules that it uses get their numbers, and so are printed in turn. */
  #node(node: Node): string {
    if (this.#terminals.has(node)) return `/(?:${this.#regex(node)})/`;
    switch (node.kind) {
      case 'text':
        return node.text === '' ? '""' : [...node.text].map((one) => `/${rustText(one)}/`).join(' ');
      case 'class':
        return `/${rustClass(node.set)}/`;
      case 'rule':
        if (!this.#numbers.has(node.name)) this.#numbers.set(node.name, `rule_${this.#numbers.size}`);
        return this.#numbers.get(node.name) as string;
      case 'sequence':
        return node.parts.map((part) => this.#node(part)).join(' ');
      case 'choice':
        return `(${node.options.map((option) => this.#node(option)).join(' | ')})`;
      case 'repeat':
        return `(${this.#node(node.part)})${times(node.least, node.most)}`;
    }
  }

  /** A regular part as a regular expression. */
  #regex(node: Node): string {
    let regex = this.#regexes.get(node);
    if (regex === undefined) {
      regex = this.#newRegex(node);
      this.#regexes.set(node, regex);
    }
    return regex;
  }

  #newRegex(node: Node): string {
    switch (node.kind) {
      case 'text':
        return rustText(node.text);
      case 'class':
        return rustClass(node.set);
      case 'rule':
        return this.#regex(this.#rules.get(node.name) as Node);
      case 'sequence':
        return node.parts.map((part) => this.#regex(part)).join('');
      case 'choice':
        return `(?:${node.options.map((option) => this.#regex(option)).join('|')})`;
      case 'repeat':
        return `(?:${this.#regex(node.part)})${times(node.least, node.most)}`;
    }
  }

  /** About the length of the regular expression, which need not be made for it. */
  #length(node: Node): number {
    let length = this.#lengths.get(node);
    if (length === undefined) {
      length = this.#newLength(node);
      this.#lengths.set(node, length);
    }
    return length;
  }

  #newLength(node: Node): number {
    switch (node.kind) {
      case 'text':
        return 8 * node.text.length;
      case 'class':
        return 16 * node.set.length;
      case 'rule':
        return this.#length(this.#rules.get(node.name) as Node);
      case 'sequence':
        return node.parts.reduce((sum, part) => sum + this.#length(part), 0);
      case 'choice':
        return node.options.reduce((sum, option) => sum + this.#length(option) + 1, 5);
      case 'repeat':
        return this.#length(node.part) + 16;
    }
  }
}

function times(least: number, most: number): string {
  if (most === Number.POSITIVE_INFINITY) return least === 0 ? '*' : least === 1 ? '+' : `{${least},}`;
  if (least === 0 && most === 1) return '?';
  return `{${least},${most}}`;
}
