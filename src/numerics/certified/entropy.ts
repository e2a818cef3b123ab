/**
 * The entropy of a row, to the bit, most of whose terms are only bounded.
 *
 * The spec's h is the sum in ascending id order of a = RN(q L), q = RN(e / Z), L = -log q by the exact log. Write x for
 * l / T - M, W for ln Z - x in real numbers, and t = e^x W / Z. With u = 2^-53, where W >= 1:
 * - the true term: e is within a share of 1.135e-16 of e^x; q and the product round by u each; log errs by at most 0.52 units in
 *   the last place, a share of 1.16e-16; and what the first two shift -ln q by, 2.25e-16, is at most that share of W. Together
 *   |a / t - 1| <= (1.135 + 1.11 + 1.16 + 1.11 + 2.25) e-16 = 6.77e-16.
 * - ours: v / e^x in [1 - 6.364e-16, 1 - 1.579e-16] (below.ts); the logarithm of Z 1.16e-16 of ln Z, which is at most W;
 *   the difference, v times it, and the last product u each; the scale, 1 / Z times another number, 2 u. Together, without
 *   that other number, between 1 - 13.08e-16 and 1 + 5.14e-16 of t.
 * So 1 - LOWER and 1 + UPPER as that other number give a term that is never above the true one, and one that is never below.
 * Each sum is monotone, as in below.ts: where both sums are equal behind a block, that is h, to the bit.
 */
import type { ScalarNumerics } from '../numerics.js';
import { BLOCK, type EntropyScale, fillDistances, type RowKernel } from '../row.js';
import { BOUNDS, below } from './below.js';

/** 5.14e-16 + 6.77e-16, and more. */
const LOWER = 1.3e-15;
/** 13.08e-16 + 6.77e-16, and more. */
const UPPER = 2.1e-15;

const distances = new Float64Array(BLOCK);

/** -sum of q ln q in ascending id order, in nats; `total` is Z. */
export function entropyOfRow(
  kernel: RowKernel,
  numerics: Pick<ScalarNumerics, 'exp' | 'log'>,
  total: number,
  divisor: number,
  max: number,
): number {
  const blocks = kernel.arrays.heads.length;
  const scale = { logTotal: numerics.log(total), lower: (1 / total) * (1 - LOWER), upper: (1 / total) * (1 + UPPER) };
  let h = 0;
  let block = 0;
  for (;;) {
    block = kernel.entropyFrom(block, h, divisor, max, scale);
    h = kernel.said.sum;
    if (block === blocks) return h;
    fillDistances(kernel.arrays, block, divisor, max, distances);
    const found = h < BOUNDS.leastSum ? undefined : addBoundedTerms(distances, h, scale);
    h = found ?? addExactTerms(numerics, h, total);
    block++;
  }
}

/** `h` with the terms of the block whose distances are there. */
function addExactTerms({ exp, log }: Pick<ScalarNumerics, 'exp' | 'log'>, h: number, total: number): number {
  let sum = h;
  for (let i = 0; i < BLOCK; i++) {
    const q = exp(distances[i] as number) / total;
    if (q > 0) sum -= q * log(q);
  }
  return sum;
}

/** `h` with the terms of a block of distances; undefined where one of its ids is likely, or the bounds leave it open. */
export function addBoundedTerms(
  distances: Float64Array,
  h: number,
  { logTotal, lower, upper }: EntropyScale,
): number | undefined {
  const least = BOUNDS.leastX;
  let under = h;
  let over = h;
  for (let i = 0; i < BLOCK; i++) {
    const x = Math.max(distances[i] as number, least);
    if (logTotal - x < 1) return undefined;
    const term = below(x) * (logTotal - x);
    under += term * lower;
    over += term * upper;
  }
  return under === over ? under : undefined;
}
