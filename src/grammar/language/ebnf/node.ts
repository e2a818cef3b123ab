/**
 * What a rule of a grammar in EBNF says.
 */
import type { CodePoints } from './code-points.js';

export type Node =
  /** One character of a set. */
  | { readonly kind: 'class'; readonly set: CodePoints }
  | { readonly kind: 'rule'; readonly name: string }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly options: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly least: number; readonly most: number };

/** Rules by name; the text is that of ROOT. */
export type Rules = ReadonlyMap<string, Node>;

export const ROOT = 'root';
/** The empty text. */
export const EMPTY: Node = { kind: 'sequence', parts: [] };

/** Any number of nodes behind one another, as one. */
export function sequence(parts: readonly Node[]): Node {
  if (parts.length === 0) return EMPTY;
  return parts.length === 1 ? (parts[0] as Node) : { kind: 'sequence', parts };
}

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

/** ROOT and the rules that it comes to. */
export function reachedRules(rules: Rules): ReadonlySet<string> {
  const reached = new Set([ROOT]);
  for (const name of reached) for (const next of namesIn(rules.get(name) as Node)) reached.add(next); // grows meanwhile
  return reached;
}

/** The rules that come to no rule that comes to itself; each behind those that it uses. */
export function finiteRules(rules: Rules): ReadonlySet<string> {
  const users = new Map([...rules.keys()].map((name) => [name, [] as string[]]));
  const waitsFor = new Map<string, number>();
  const finite = new Set<string>();
  for (const [name, node] of rules) {
    const used = new Set(namesIn(node));
    for (const each of used) users.get(each)?.push(name);
    waitsFor.set(name, used.size);
    if (used.size === 0) finite.add(name);
  }
  for (const name of finite) {
    for (const user of users.get(name) as string[]) {
      const left = (waitsFor.get(user) as number) - 1;
      waitsFor.set(user, left);
      if (left === 0) finite.add(user); // which is walked in turn
    }
  }
  return finite;
}
