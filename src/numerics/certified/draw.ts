/**
 * The draw, where approximate masses decide it: the id that the exact walk gives for u, or no answer.
 *
 * The spec walks c_i, the running sum of q in ascending id order, and takes the first id with u < c_i. Write C_i for the real
 * running sum of the exact exps over their real total. Each of the V quotients and V sums, and each sum of Z, rounds by at most
 * a share of u = 2^-53: c_i = C_i (1 + h), |h| <= (2 V + 4) u.
 *
 * Ours is the running sum c of parts m over their total, each part within a share `error` of its exps. What all parts share
 * cancels in the quotient; what only those before i have in excess counts with what is behind them: at most
 * 2 error C (1 - C). Our own sums round as well, block by block and within a block, by at most (2 blocks + 256) u of c: this
 * does not vanish at the end of the row. (We once counted 64 u for it and gave id 54 in place of 55: V = 65, a first logit of
 * 12.781952857971191, all others 3.708846563199586e-8, u = 0.999971894565971.) Last, a little of the total for entries that are
 * clamped or padding, beside which subnormal q are nothing.
 * So where c is further than `doubt` from u times the total, C and c_i lie on the same side of it; where that is so on both
 * sides of an id, it is the one.
 */
import { BLOCK, fillDistances, type RowKernel } from '../row.js';
import { BOUNDS, below } from './below.js';

export const ROUNDING = 1.1102230246251565e-16 * 1.01; // 2^-53, and a little for squares of such shares
/** 2 V e^-86 for the largest V, 2^24: entries that are clamped, in the sum and in the total. */
export const TINY = 1.6e-30;
/** No answer. */
export const UNDECIDED = -1;

/** How far the running sum c of a total may be from what decides. */
function doubt(c: number, total: number, error: number, roundings: number): number {
  return c * (2 * error * (1 - c / total) + roundings) + total * TINY;
}

/** The share of what V ids in some blocks round, in the spec's sums and in ours. */
function roundingsOf(ids: number, blocks: number): number {
  return (2 * ids + 2 * blocks + 256) * ROUNDING;
}

/** What a row is drawn from. */
export interface DrawnRow {
  readonly kernel: RowKernel;
  readonly length: number;
  readonly edits: { readonly count: number };
}

const entries = new Float64Array(BLOCK);

/** By the masses of the blocks: quickly, then by `below`; UNDECIDED where neither tells. */
export function drawByEstimate(row: DrawnRow, divisor: number, max: number, u: number): number {
  const id = drawByMasses(row, false, divisor, max, u);
  return id === UNDECIDED ? drawByMasses(row, true, divisor, max, u) : id;
}

function drawByMasses(row: DrawnRow, fine: boolean, divisor: number, max: number, u: number): number {
  const { kernel } = row;
  if (!kernel.estimate(fine, divisor, max)) return UNDECIDED;
  const { masses } = kernel.arrays;
  const { error } = kernel.said;
  const total = kernel.said.sum + addEdits(row, divisor, max);
  const target = u * total;
  let before = 0;
  let block = 0;
  while (block < masses.length && before + (masses[block] as number) <= target) before += masses[block++] as number;
  if (block === masses.length) return UNDECIDED;
  const scale = (masses[block] as number) / fillEntries(kernel, block, divisor, max);
  return inBlock(row, block, before, scale, total, target, error);
}

/** By the sums before each block, which are exact; UNDECIDED where they do not tell. */
export function drawBySums(row: DrawnRow, divisor: number, max: number, u: number): number {
  const { before } = row.kernel.arrays;
  const total = before[before.length - 1] as number;
  const target = u * total;
  let low = 0;
  let high = before.length - 1; // before[low] <= target < before[high]
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((before[middle] as number) <= target) low = middle;
    else high = middle;
  }
  fillEntries(row.kernel, low, divisor, max);
  return inBlock(row, low, before[low] as number, 1, total, target, BOUNDS.error);
}

/** Adds the exps of the edits to the masses of their blocks; their sum, in the unit of the masses. */
function addEdits({ kernel, edits }: DrawnRow, divisor: number, max: number): number {
  const { editIds, editValues, masses } = kernel.arrays;
  const { unit } = kernel.said;
  let sum = 0;
  for (let i = 0; i < edits.count; i++) {
    const mass = unit * below((editValues[i] as number) / divisor - max);
    const block = (editIds[i] as number) >> 6;
    masses[block] = (masses[block] as number) + mass;
    sum += mass;
  }
  return sum;
}

/** Fills `entries` with the v of a block; their sum. */
function fillEntries(kernel: RowKernel, block: number, divisor: number, max: number): number {
  fillDistances(kernel.arrays, block, divisor, max, entries);
  let sum = 0;
  for (let i = 0; i < BLOCK; i++) {
    const v = below(entries[i] as number);
    entries[i] = v;
    sum += v;
  }
  return sum;
}

/** The id in a block, whose entries count `scale` times, at which the running sum passes `target` beyond doubt. */
function inBlock(
  { length, kernel }: DrawnRow,
  block: number,
  before: number,
  scale: number,
  total: number,
  target: number,
  error: number,
): number {
  const roundings = roundingsOf(length, kernel.arrays.heads.length);
  let c = before;
  for (let i = 0; i < BLOCK; i++) {
    const next = c + (entries[i] as number) * scale;
    if (next > target) {
      const id = block * BLOCK + i;
      const isAfter = id === 0 || c + doubt(c, total, error, roundings) <= target;
      return isAfter && next - doubt(next, total, error, roundings) > target ? id : UNDECIDED;
    }
    c = next;
  }
  return UNDECIDED;
}

/** From the first `count` parts of a list, which are v of `below`: the index, or UNDECIDED. */
export function drawFromList(parts: Float64Array, count: number, u: number): number {
  let total = 0;
  for (let i = 0; i < count; i++) total += parts[i] as number;
  const target = u * total;
  const roundings = roundingsOf(2 * count, 0);
  let c = 0;
  for (let i = 0; i < count; i++) {
    const next = c + (parts[i] as number);
    if (next > target) {
      const isAfter = i === 0 || c + doubt(c, total, BOUNDS.error, roundings) <= target;
      return isAfter && next - doubt(next, total, BOUNDS.error, roundings) > target ? i : UNDECIDED;
    }
    c = next;
  }
  return UNDECIDED;
}
