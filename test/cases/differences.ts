/**
 * Compares what a case expects with what came out, or with what the fault gives.
 *
 * Ids and sets are compared exactly. Decimals stand in the cases with 9 places and are compared at 1e-8, or bit for bit
 * where the check lists them as exact; probabilities that are not named are 0 exactly.
 */
import { type Check, faultsOf, type NumberData, type TokenValues, toNumber } from './case-file.js';
import type { TokenOutcome } from './token-outcome.js';

type Right = Check<unknown, TokenValues>['right'];
type Actual = Partial<TokenOutcome> | TokenValues;

const CLOSE = 1e-8;
const SUM_CLOSE = 1e-12;

/** One line for each value that differs; `actual` without a value differs too. */
export function differences(right: Right, actual: Actual): string[] {
  const names = Object.keys(right).filter((name) => name !== 'exact') as (keyof TokenValues)[];
  const values = actual as Record<string, unknown>;
  return names
    .filter((name) => !(name in actual) || !agrees(name, right, values[name]))
    .map((name) => `${name}: expected ${JSON.stringify(right[name])}, got ${JSON.stringify(values[name])}`);
}

/** What is wrong with the faults of a check: a value that would pass as the right one. */
export function uselessFaults(check: Check<unknown, TokenValues>): string[] {
  return faultsOf(check).flatMap((fault) => {
    if ((fault.error === undefined) !== (check.right.error === undefined)) return [];
    const names = (Object.keys(fault) as (keyof TokenValues)[]).filter((name) => name in check.right);
    if (names.length === 0) return [`${JSON.stringify(fault)} has no value to compare`];
    return names
      .filter((name) => agrees(name, check.right, fault[name]))
      .map((name) => `${name} of the fault would pass: ${JSON.stringify(fault[name])}`);
  });
}

function agrees(name: keyof TokenValues, right: Right, actual: unknown): boolean {
  const exact = right.exact?.includes(name) ?? false;
  switch (name) {
    case 'q':
      return sameShares(right.q as Record<string, NumberData>, actual as Record<string, NumberData>, exact);
    case 'penalised':
      return sameList(right.penalised as readonly NumberData[], actual as readonly NumberData[], exact);
    case 'logprob':
      return same(right.logprob as NumberData, actual as NumberData, exact);
    case 'topSum':
      return Math.abs((right.topSum as number) - (actual as number)) <= SUM_CLOSE;
    case 'top': {
      const [a, b] = [right.top, actual] as [Required<TokenValues>['top'], Required<TokenValues>['top']];
      return String(a.ids) === String(b.ids) && sameList(a.logprobs, b.logprobs, exact);
    }
    case 'kept':
      return String(right.kept) === String(actual);
    default:
      return Object.is(right[name], actual);
  }
}

function same(expected: NumberData, actual: NumberData, exact: boolean): boolean {
  const [a, b] = [toNumber(expected), toNumber(actual)];
  return Object.is(a, b) || (!exact && Math.abs(a - b) <= CLOSE);
}

function sameList(expected: readonly NumberData[], actual: readonly NumberData[], exact: boolean): boolean {
  return expected.length === actual.length && expected.every((x, i) => same(x, actual[i] as NumberData, exact));
}

/** By id: a list, or an object with the ids as keys. */
function sameShares(
  expected: Readonly<Record<string, NumberData>>,
  actual: Readonly<Record<string, NumberData>>,
  exact: boolean,
): boolean {
  const ids = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  return [...ids].every((id) => same(expected[id] ?? 0, actual[id] ?? 0, exact || !(id in expected)));
}
