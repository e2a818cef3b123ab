/**
 * What a rule of a grammar in EBNF says.
 */
import type { CodePoints } from './code-points.js';

export type Node =
  /** One character of a set. */
  | { readonly kind: 'class'; readonly set: CodePoints }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'rule'; readonly name: string }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly options: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly least: number; readonly most: number };

/** Rules by name; the text is that of ROOT. */
export type Rules = ReadonlyMap<string, Node>;

export const ROOT = 'root';
export const EMPTY: Node = { kind: 'text', text: '' };

/** The names of the rules in `node`. */
export function namesIn(node: Node): string[] {
  switch (node.kind) {
    case 'rule':
      return [node.name];
    case 'sequence':
      return node.parts.flatMap(namesIn);
    case 'choice':
      return node.options.flatMap(namesIn);
    case 'repeat':
      return namesIn(node.part);
    default:
      return [];
  }
}

/** The rules that each rule comes to. */
export function reachedRules(rules: Rules): ReadonlyMap<string, ReadonlySet<string>> {
  const used = new Map([...rules].map(([name, node]) => [name, namesIn(node)]));
  return new Map(
    [...rules.keys()].map((name) => {
      const seen = new Set(used.get(name));
      for (const reached of seen) for (const next of used.get(reached) ?? []) seen.add(next); // grows while it is walked
      return [name, seen];
    }),
  );
}
