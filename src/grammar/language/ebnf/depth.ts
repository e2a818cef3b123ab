/**
 * How deep a grammar is: its parts, and rules that come to no rule again, are gone through on the stack, whose size is the
 * machine's affair.
 */
import { finiteRules, type Node, type Rules } from './node.js';

/** The most parts within one another, rules within rules included. */
export const DEEPEST_PARTS = 1000;

/** Whether no part is deeper than may be. */
export function isShallow(rules: Rules): boolean {
  const isShort = (node: Node) => depthOf(node, () => 0) <= DEEPEST_PARTS;
  if (![...rules.values()].every(isShort)) return false;
  const depths = new Map<string, number>(); // of rules that come to none again; the others are not gone into
  for (const name of finiteRules(rules)) {
    depths.set(
      name,
      depthOf(rules.get(name) as Node, (used) => depths.get(used) as number),
    );
  }
  return [...rules.values()].every((node) => depthOf(node, (used) => depths.get(used) ?? 0) <= DEEPEST_PARTS);
}

/** How many parts are within one another; more than may be as soon as there are. */
function depthOf(node: Node, ofRule: (name: string) => number, above = 0): number {
  const depth = above + 1;
  if (depth > DEEPEST_PARTS) return depth;
  const deepest = (nodes: readonly Node[]) =>
    nodes.reduce((most, part) => Math.max(most, depthOf(part, ofRule, depth)), depth);
  switch (node.kind) {
    case 'rule':
      return depth + ofRule(node.name);
    case 'sequence':
      return deepest(node.parts);
    case 'choice':
      return deepest(node.options);
    case 'repeat':
      return depthOf(node.part, ofRule, depth);
    default:
      return depth;
  }
}
