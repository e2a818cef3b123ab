/**
 * Where a text stands in its reasoning.
 */
import { isPlainObject } from '../../../src/kinds.js';
import { InvalidValueError } from '../../contract.js';

/** `outside`: of no reasoning. `counting`: inside, with tokens left. `forcing`: the end is being forced. */
const PHASES = ['outside', 'counting', 'forcing'] as const;

export interface ThinkingState {
  readonly phase: (typeof PHASES)[number];
  /** How many ids of `begin`, or inside of `end`, the text ends with. */
  readonly matched: number;
  /** Ids since the beginning of the reasoning. */
  readonly used: number;
  /** Bytes of UTF-8 that the last character lacks. */
  readonly owed: number;
  /** Ids that were forced. */
  readonly forced: number;
}

export const OUTSIDE: ThinkingState = { phase: 'outside', matched: 0, used: 0, owed: 0, forced: 0 };

const COUNTS = ['matched', 'used', 'owed', 'forced'] as const;
const DOMAIN = 'a state that `save` gave: `phase`, `matched`, `used`, `owed` and `forced`';

/** How many ids the marks have that a text is looked through for in each phase, and how many are forced. */
export interface ThinkingLengths {
  readonly begin: number;
  readonly end: number;
  readonly forced: number;
}

/** `state` where it is one that `save` can have given. */
export function checkThinkingState(owner: string, state: unknown, lengths: ThinkingLengths): ThinkingState {
  const given = isPlainObject(state) ? state : {};
  const limits = {
    matched: given.phase === 'outside' ? lengths.begin : lengths.end,
    used: Number.POSITIVE_INFINITY,
    owed: 4,
    forced: lengths.forced,
  };
  const isState = PHASES.includes(given.phase as never) && COUNTS.every((name) => isBelow(given[name], limits[name]));
  if (!isState) throw new InvalidValueError(owner, 'state', DOMAIN, state);
  const { phase, matched, used, owed, forced } = given as unknown as ThinkingState;
  return { phase, matched, used, owed, forced };
}

function isBelow(value: unknown, limit: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < limit;
}
