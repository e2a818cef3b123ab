/**
 * A regular part of a grammar by its positions (Glushkov's automaton): which characters it begins with, and which may
 * go on behind a text that is complete already.
 */
import { type CodePoints, EVERY, overlap, union } from './code-points.js';
import { type Ends, Followers, NO_ENDS } from './ends.js';
import type { Node, Rules } from './node.js';
import type { Spend } from './steps.js';

/** The most positions that are looked at; of a larger part nothing is known. */
const MOST_POSITIONS = 300;

export interface Shape {
  /** Whether every text of it is one character long. */
  readonly isSingle: boolean;
  readonly isNullable: boolean;
  /** What a text of it begins with. */
  readonly first: CodePoints;
  /** What may follow a text of it within a longer one. */
  readonly extends: CodePoints;
}

/** The shape of `node`, whose rules never come to themselves. */
export function shapeOf(node: Node, rules: Rules, spend: Spend): Shape {
  const sets: CodePoints[] = [];
  const read = (part: Node): Ends<number> | undefined => {
    if (sets.length > MOST_POSITIONS) return NO_ENDS;
    if (part.kind === 'class') return followers.atom(sets.push(part.set) - 1);
    return part.kind === 'rule' ? followers.of(rules.get(part.name) as Node) : undefined;
  };
  const followers: Followers<number> = new Followers(read, Number.POSITIVE_INFINITY, spend);
  const ends = followers.of(node);
  const { isNullable } = ends;
  if (sets.length > MOST_POSITIONS) return { isSingle: false, isNullable, first: EVERY, extends: EVERY };
  const charactersOf = (positions: Iterable<number>) => union([...positions].flatMap((at) => sets[at] as CodePoints));
  return {
    isSingle: !isNullable && [...ends.first].every((at) => followers.next.get(at)?.size === 0),
    isNullable,
    first: charactersOf(ends.first),
    extends: charactersOf(goingOn(ends, followers.next, sets, spend)),
  };
}

/** The positions that go on behind an end: of every two that one text leads to, one may end where the other goes on. */
function goingOn(
  { isNullable, first, last }: Ends<number>,
  next: ReadonlyMap<number, ReadonlySet<number>>,
  sets: readonly CodePoints[],
  spend: Spend,
): ReadonlySet<number> {
  const goesOn = new Set<number>(isNullable ? first : []);
  const seen = new Set<number>();
  const open: [number, number][] = [];
  const reach = (a: number, b: number) => {
    const key = a * MOST_POSITIONS + b;
    if (seen.has(key) || !overlap(sets[a] as CodePoints, sets[b] as CodePoints)) return;
    seen.add(key);
    open.push([a, b]);
  };
  const after = (at: number) => next.get(at) as ReadonlySet<number>;
  for (const a of first) for (const b of first) reach(a, b);
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [a, b] = pair;
    spend(1 + after(a).size * after(b).size);
    if (last.has(a)) for (const at of after(b)) goesOn.add(at);
    for (const x of after(a)) for (const y of after(b)) reach(x, y);
  }
  return goesOn;
}
