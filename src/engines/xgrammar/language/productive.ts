/**
 * What of a grammar can become text: an empty set cannot, nor can a rule that needs itself to end. Without the rest there
 * is no place in the grammar from which no text is ever complete.
 */
import { NOTHING, type Node, ROOT, type Rules } from './node.js';

/** `grammar` without what cannot become text; undefined when that is all of it. */
export function productiveRules({ rules, called }: Rules): Rules | undefined {
  const names = new Set<string>();
  for (let before = -1; before < names.size; ) {
    before = names.size;
    for (const [name, node] of rules) if (!names.has(name) && isProductive(node, names)) names.add(name);
  }
  if (!names.has(ROOT)) return undefined;
  const left = [...rules].filter(([name]) => names.has(name));
  return { rules: new Map(left.map(([name, node]) => [name, prune(node, names)])), called };
}

function isProductive(node: Node, names: ReadonlySet<string>): boolean {
  switch (node.kind) {
    case 'text':
      return true;
    case 'set':
      return node.set.length > 0;
    case 'sequence':
      return node.parts.every((part) => isProductive(part, names));
    case 'choice':
      return node.options.some((option) => isProductive(option, names));
    case 'repeat':
      return node.least === 0 || isProductive(node.part, names);
    case 'rule':
      return names.has(node.name);
  }
}

/** `node`, which is productive, without the options that are not. */
function prune(node: Node, names: ReadonlySet<string>): Node {
  switch (node.kind) {
    case 'sequence':
      return { ...node, parts: node.parts.map((part) => prune(part, names)) };
    case 'choice': {
      const options = node.options.filter((option) => isProductive(option, names));
      return { ...node, options: options.map((option) => prune(option, names)) };
    }
    case 'repeat':
      return isProductive(node.part, names)
        ? { ...node, part: prune(node.part, names) }
        : { ...node, part: NOTHING, most: 0 };
    default:
      return node;
  }
}
