/**
 * Leaves out of a grammar what can never end: alternatives with a rule that always comes to itself, or an empty class.
 */
import { type Node, ROOT, type Rules } from './node.js';

/** The rules without what cannot end; undefined where the root cannot. */
export function productiveRules(rules: Rules): Rules | undefined {
  const productive = new Set<string>();
  for (let before = -1; before < productive.size; ) {
    before = productive.size;
    for (const [name, node] of rules) if (prune(node, productive) !== undefined) productive.add(name);
  }
  if (!productive.has(ROOT)) return undefined;
  return new Map([...productive].map((name) => [name, prune(rules.get(name) as Node, productive) as Node]));
}

/** `node` of the rules that are known to end; undefined where it has no such text. */
function prune(node: Node, productive: ReadonlySet<string>): Node | undefined {
  switch (node.kind) {
    case 'text':
      return node;
    case 'class':
      return node.set.length === 0 ? undefined : node;
    case 'rule':
      return productive.has(node.name) ? node : undefined;
    case 'sequence': {
      const parts = node.parts.map((part) => prune(part, productive));
      return parts.includes(undefined) ? undefined : { kind: 'sequence', parts: parts as Node[] };
    }
    case 'choice': {
      const options = node.options.map((option) => prune(option, productive)).filter((option) => option !== undefined);
      return options.length === 0 ? undefined : { kind: 'choice', options };
    }
    case 'repeat': {
      const part = prune(node.part, productive);
      if (part !== undefined) return { ...node, part };
      return node.least === 0 ? { kind: 'text', text: '' } : undefined;
    }
  }
}
