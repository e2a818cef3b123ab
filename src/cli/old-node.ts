/**
 * A word about the version of Node, where it is older than those that the package is made for.
 */

/** The oldest Node that the package is made for, as its package.json says. An older one may do, and is not refused. */
export const OLDEST_NODE = '20.19';

/** A line on standard error where this is such an older one. */
export function warnOfOldNode(): void {
  const { node, bun } = process.versions;
  if (node === undefined || bun !== undefined || 'Deno' in globalThis || !isOlder(node, OLDEST_NODE)) return;
  process.stderr.write(`[warning: Node ${node} is older than ${OLDEST_NODE}, the oldest that Lockstep supports]\n`);
}

/** Whether `version`, as numbers and points, comes before `other`. */
export function isOlder(version: string, other: string): boolean {
  const [numbers, others] = [version, other].map((text) => text.split('.').map(Number)) as [number[], number[]];
  const at = others.findIndex((number, i) => number !== (numbers[i] ?? 0));
  return at >= 0 && (numbers[at] ?? 0) < (others[at] as number);
}
