/**
 * A grammar as a tree: what regular expressions, JSON schemas and EBNF are read into.
 */
import type { CodePoints } from './code-points.js';

export type Node =
  | { readonly kind: 'text'; readonly text: string }
  /** One character of a set; of an empty set, none: no text. */
  | { readonly kind: 'set'; readonly set: CodePoints }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly options: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly least: number; readonly most: number }
  /** A rule of the grammar by its name. */
  | { readonly kind: 'rule'; readonly name: string };

export interface Rules {
  /** By name; the text is that of the rule `root`. */
  readonly rules: ReadonlyMap<string, Node>;
  /**
   * Rules that stay rules when the others are put in the place of their names. They must be those that name themselves, at
   * least one on every way round.
   */
  readonly called: ReadonlySet<string>;
}

export const ROOT = 'root';

export function text(value: string): Node {
  return { kind: 'text', text: value };
}

/** The empty text. */
export const EMPTY: Node = text('');

export function set(points: CodePoints): Node {
  return { kind: 'set', set: points };
}

/** No text at all, not even the empty one. */
export const NOTHING: Node = set([]);

/** One of the characters of `letters`. */
export function oneOf(letters: string): Node {
  return choice(...[...letters].map((letter) => text(letter)));
}

export function sequence(...parts: readonly Node[]): Node {
  return parts.length === 1 ? (parts[0] as Node) : { kind: 'sequence', parts };
}

export function choice(...options: readonly Node[]): Node {
  return options.length === 1 ? (options[0] as Node) : { kind: 'choice', options };
}

export function optional(part: Node): Node {
  return choice(EMPTY, part);
}

/** `part` from `least` to `most` times; Infinity: any number of times from `least` on. */
export function repeat(part: Node, least: number, most: number): Node {
  return { kind: 'repeat', part, least, most };
}

export function rule(name: string): Node {
  return { kind: 'rule', name };
}
