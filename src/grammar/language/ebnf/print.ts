/**
 * Grammars in EBNF in the engine's Lark: regular parts as regular expressions, the rest as rules.
 */
import { rustTimes } from '../rust-class.js';
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
  /** Regular expressions; undefined where a part has none. */
  readonly #regexes = new Map<Node, string | undefined>();
  readonly #terminals: Terminals;
  /** Rules by number, so that no name of a user's means something to the engine. */
  readonly #numbers = new Map<string, string>([[ROOT, 'start']]);

  constructor(rules: Rules, spend: Spend) {
    const reached = reachedRules(rules);
    this.#rules = new Map([...rules].filter(([name]) => reached.has(name)));
    const finite = finiteRules(this.#rules);
    for (const [name, node] of this.#rules) if (!finite.has(name)) this.#regexes.set(node, undefined);
    this.#terminals = new Terminals(this.#rules, (node) => this.#regex(node), spend);
  }

  print(): string {
    const lines: string[] = [];
    for (const [name, number] of this.#numbers) lines.push(`${number}: ${this.#node(this.#rules.get(name) as Node)}`);
    return lines.join('\n');
  }

  /** A part as the right side of a rule; rules that it uses get their numbers, and so are printed in turn. */
  #node(node: Node): string {
    if (this.#regex(node) === '') return '""';
    const regex = this.#terminals.regexOf(node);
    if (regex !== undefined) return `/(?:${regex})/`;
    switch (node.kind) {
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
        return `(${this.#node(node.part)})${rustTimes(node.least, node.most)}`;
    }
  }

  /** A part as a regular expression; undefined where it comes to a rule that comes to itself, and where it is too long. */
  #regex(node: Node): string | undefined {
    if (!this.#regexes.has(node)) {
      const regex = this.#newRegex(node);
      this.#regexes.set(node, regex !== undefined && regex.length <= LONGEST ? regex : undefined);
    }
    return this.#regexes.get(node);
  }

  #newRegex(node: Node): string | undefined {
    switch (node.kind) {
      case 'class':
        return rustClass(node.set);
      case 'rule':
        return this.#regex(this.#rules.get(node.name) as Node);
      case 'sequence':
        return this.#joined(node.parts, '');
      case 'choice': {
        const options = this.#joined(node.options, '|');
        return options && `(?:${options})`;
      }
      case 'repeat': {
        const part = this.#regex(node.part);
        return part && `(?:${part})${rustTimes(node.least, node.most)}`;
      }
    }
  }

  #joined(parts: readonly Node[], sign: string): string | undefined {
    const regexes: string[] = [];
    let length = 0;
    for (const part of parts) {
      const regex = this.#regex(part);
      if (regex === undefined || length > LONGEST) return undefined;
      length += regex.length;
      regexes.push(regex);
    }
    return regexes.join(sign);
  }
}
