/**
 * The group `exp-log`: exp and log one by one, exp as the passes over lists and rows compute it, and the sums.
 */
import type { Numerics } from '../numerics/numerics.js';
import type { Check } from './check.js';
import { expInputs, type InputKind, logInputs } from './exp-log-inputs.js';
import { digestDoubles } from './fnv1a.js';
import { expOfEdits, expRow, ROWS } from './rows.js';

/** Inputs that share a digest. */
const BLOCK = 64;

/** Digests of results of Python's math: one a block of inputs of a kind, one a row. */
export interface ExpLogDigests {
  readonly exp: Readonly<Record<string, readonly string[]>>;
  readonly log: Readonly<Record<string, readonly string[]>>;
  readonly rows: readonly string[];
}

export function* expLogChecks(digests: ExpLogDigests, numerics: Numerics): Iterable<Check> {
  for (const { kind, xs, block, where } of blocks(expInputs())) {
    const expected = digests.exp[kind]?.[block] ?? 'a digest';
    const check = (what: string, results: Float64Array) => ({
      what: `exp of ${kind}, ${what}, ${where}`,
      expected,
      got: digestDoubles(results),
    });
    yield check(
      'one by one',
      xs.map((x) => numerics.exp(x)),
    );
    if (xs.some((x) => x > 0)) continue; // a softmax has none
    yield check('as a list', expList(numerics, xs));
    yield check('as a row', expOfEdits(numerics, xs));
  }
  for (const { kind, xs, block, where } of blocks(logInputs())) {
    const expected = digests.log[kind]?.[block] ?? 'a digest';
    yield { what: `log of ${kind}, ${where}`, expected, got: digestDoubles(xs.map((x) => numerics.log(x))) };
  }
  for (let n = 0; n < ROWS; n++) {
    const expected = digests.rows[n] ?? 'a digest';
    yield { what: `the exps and the sum of row ${n}`, expected, got: digestDoubles(expRow(numerics, n)) };
  }
}

function* blocks(kinds: readonly InputKind[]) {
  for (const { kind, inputs } of kinds) {
    for (let from = 0; from < inputs.length; from += BLOCK) {
      const to = Math.min(from + BLOCK, inputs.length);
      yield { kind, xs: inputs.subarray(from, to), block: from / BLOCK, where: `inputs ${from} to ${to - 1}` };
    }
  }
}

function expList(numerics: Numerics, xs: Float64Array): Float64Array {
  const exps = new Float64Array(xs.length);
  numerics.expSum(xs, xs.length, 0, exps);
  return exps;
}
