/**
 * Leaves out of a grammar what can never end: alternatives with a rule that always comes to itself, or an empty class.
 */
import { EMPTY, type Node, namesIn, ROOT, type Rules } from './node.js';
import type { Spend } from './steps.js';

/** The rules without what cannot end; undefined where the root cannot. */
export function productiveRules(rules: Rules, spend: Spend): Rules | undefined {
  const productive = new Set<string>();
  const users = new Map([...rules.keys()].map((name) => [name, [] as string[]]));
  for (const [name, node] of rules) for (const used of new Set(namesIn(node))) users.get(used)?.push(name);
  const open = new Set([...rules.keys()].reverse()); // those that others use come first, as a rule
  for (const name of open) {
    open.delete(name);
    if (prune(rules.get(name) as Node, productive, spend) === undefined) continue;
    productive.add(name);
    for (const user of users.get(name) as string[]) if (!productive.has(user)) open.add(user); // which may have waited for it
  }
  if (!productive.has(ROOT)) return undefined;
  return new Map([...productive].map((name) => [name, prune(rules.get(name) as Node, productive, spend) as Node]));
}

/** `node` of the rules that are known to end; undefined where it has no such text. */
function prune(node: Node, productive: ReadonlySet<string>, spend: Spend): Node | undefined {
  if (node.kind === 'class') return node.set.length === 0 ? undefined : node;
  spend(1);
  switch (node.kind) {
    case 'rule':
      return productive.has(node.name) ? node : undefined;
    case 'sequence': {
      const parts = node.parts.map((part) => prune(part, productive, spend));
      return parts.includes(undefined) ? undefined : { kind: 'sequence', parts: parts as Node[] };
    }
    case 'choice': {
      const options = node.options.map((each) => prune(each, productive, spend)).filter((each) => each !== undefined);
      return options.length === 0 ? undefined : { kind: 'choice', options };
    }
    case 'repeat': {
      const part = prune(node.part, productive, spend);
      if (part !== undefined) return { ...node, part };
      return node.least === 0 ? EMPTY : undefined;
    }
  }
}
