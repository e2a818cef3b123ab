/**
 * Rows of logits for the pass of step 9 over a vocabulary, some of them edited. `make_digests.py` in fixtures/verify
 * follows the same recipe.
 */
import type { Numerics } from '../numerics/numerics.js';
import { BLOCK, type RowKernel } from '../numerics/row.js';
import { Pcg32 } from '../random/pcg32.js';
import { pick, RECIPE_SEED } from './draws.js';

/** How many rows. */
export const ROWS = 96;
const LARGEST_ROW = 300;
const SCALES = [1, 4, 12, 60, 800];

/** V logits; where `edited`, a float64 beside the float32 copy. */
interface Row {
  readonly values: Float64Array;
  readonly edited: readonly boolean[];
  readonly divisor: number;
}

function makeRow(n: number): Row {
  const random = new Pcg32(RECIPE_SEED, 300 + n);
  const length = 1 + random.below(LARGEST_ROW);
  const scale = pick(random, SCALES);
  const divisor = pick(random, [1, 1, 0.7, 1.8, 0.05 + 2 * random.uniform()]);
  const values = new Float64Array(length);
  const edited: boolean[] = [];
  for (let i = 0; i < length; i++) {
    const x = Math.fround((2 * random.uniform() - 1) * scale);
    const fate = random.below(16);
    values[i] = fate === 0 ? -Infinity : fate < 5 ? 1.1 * x : x;
    edited.push(fate >= 1 && fate < 5);
  }
  const first = random.below(length);
  values[first] = 0.5;
  return { values, edited, divisor };
}

/** exp(l / T - max) of each id of row `n`, in ascending id order, and their sum at the end: f64[V + 1]. */
export function expRow(numerics: Numerics, n: number): Float64Array {
  const { values, edited, divisor } = makeRow(n);
  const kernel = numerics.rowKernel(values.length);
  fill(kernel, values, edited);
  const largest = values.reduce((max, x) => Math.max(max, x), -Infinity);
  const sum = kernel.expSum(divisor, divisor === 1 ? largest : largest / divisor);
  return Float64Array.from([...kernel.arrays.exps.subarray(0, values.length), sum]);
}

/** exp of each x, none above 0, by way of a row in which every id is edited. */
export function expOfEdits(numerics: Numerics, xs: Float64Array): Float64Array {
  const kernel = numerics.rowKernel(xs.length);
  fill(kernel, xs, new Array<boolean>(xs.length).fill(true));
  kernel.expSum(1, 0);
  return kernel.arrays.exps.subarray(0, xs.length);
}

function fill({ arrays }: RowKernel, values: Float64Array, edited: readonly boolean[]): void {
  const { copy, heads, next, editIds, editValues } = arrays;
  let edits = 0;
  values.forEach((value, id) => {
    copy[id] = edited[id] ? -Infinity : value;
    if (!edited[id]) return;
    const block = Math.floor(id / BLOCK);
    editIds[edits] = id;
    editValues[edits] = value;
    next[edits] = heads[block] as number;
    heads[block] = ++edits;
  });
}
