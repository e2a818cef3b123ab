/**
 * One group of checks: each compares one result, as text, with what it must be. The group stops at the first difference.
 */
import type { Numerics } from '../numerics/numerics.js';
import { Fnv1a } from './fnv1a.js';

/** The groups, in the order in which they run. */
export const GROUPS = Object.freeze(['golden', 'exp-log', 'pcg32', 'requests', 'model', 'grammars', 'bounds'] as const);

export type GroupName = (typeof GROUPS)[number];

/** One comparison. */
export interface Check {
  /** What was computed, in words. */
  readonly what: string;
  readonly expected: string;
  readonly got: string;
}

/** A group in lockstep. */
export interface GroupOk {
  readonly name: GroupName;
  readonly ok: true;
  /** Of all results: 16 hexadecimal digits, the same in every engine and with every numerics. */
  readonly digest: string;
  /** How many comparisons were made. */
  readonly checks: number;
}

/** A group that is not, up to the first difference. */
export interface GroupDifference {
  readonly name: GroupName;
  readonly ok: false;
  readonly difference: Check;
}

/** A group that this engine cannot run: neither in lockstep nor not. */
export interface GroupSkipped {
  readonly name: GroupName;
  readonly ok: null;
  /** Why. */
  readonly skipped: string;
}

export type GroupReport = GroupOk | GroupDifference | GroupSkipped;

/** The checks of a group with one numerics. */
export type Checks = (numerics: Numerics) => Iterable<Check>;

/** Runs the checks with each numerics in turn; they may be run once more for each, so their results are the same. */
export function runGroup(name: GroupName, checks: Checks, all: readonly Numerics[]): GroupReport {
  let count = 0;
  let digest = '';
  for (const numerics of all) {
    const results = new Fnv1a();
    for (const check of guarded(checks, numerics)) {
      if (check.got !== check.expected) return { name, ok: false, difference: named(check, numerics) };
      results.text(`${check.got}\n`);
      count++;
    }
    digest = results.hex();
  }
  return { name, ok: true, digest, checks: count };
}

/** An error is a difference too. */
function* guarded(checks: Checks, numerics: Numerics): Iterable<Check> {
  let last = 'the start';
  try {
    for (const check of checks(numerics)) {
      last = check.what;
      yield check;
    }
  } catch (error) {
    yield { what: `what comes after ${last}`, expected: 'no error', got: String(error) };
  }
}

function named({ what, expected, got }: Check, numerics: Numerics): Check {
  return { what: `${what} (numerics: ${numerics.name})`, expected, got };
}
