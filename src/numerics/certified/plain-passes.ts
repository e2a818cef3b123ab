/**
 * The certified passes without SIMD. What they promise stands at `RowKernel`; the bounds are those of below.ts.
 */
import { highWord } from '../bits.js';
import { BLOCK, type EntropyScale, fillDistances, type RowArrays, type Said } from '../row.js';
import { BOUNDS, below, roughly } from './below.js';
import { addBoundedTerms } from './entropy.js';

const ABOVE = BOUNDS.above;
const INVERSE = BOUNDS.inverse;
const LEAST_SUM = BOUNDS.leastSum;
/** So many blocks in a row that are open, and the next ones are not tried. */
const PATIENCE = 8;

/** The exponent of a normal number above 0. */
function exponentOf(x: number): number {
  return (highWord(x) >>> 20) - 1023;
}

/** Whether a block whose largest exponent is `top` cannot move the sum s: none of its exps reaches half a unit in the last place. */
function isLost(top: number, s: number): boolean {
  return top * Math.LOG2E < exponentOf(s) - 54;
}

/** The sum of the exact exps, to the bit. `exact` writes the sum before the block behind to `before`, from that before it. */
export function certifiedSum(arrays: RowArrays, divisor: number, max: number, exact: (block: number) => void): number {
  const { blockMax, before, copy, heads } = arrays;
  let sum = 0;
  let streak = 0;
  let untried = 0;
  for (let block = 0; block < heads.length; block++) {
    before[block] = sum;
    if (sum >= LEAST_SUM && untried === 0) {
      const isEdited = heads[block] !== 0;
      if (!isEdited && isLost((blockMax[block] as number) / divisor - max, sum)) continue;
      const isPlain = !isEdited && divisor === 1;
      const found = isPlain ? addBlock(copy, block, sum, max) : addDistances(arrays, block, sum, divisor, max);
      if (found >= 0) {
        sum = found;
        streak = 0;
        continue;
      }
    }
    if (untried > 0) untried--;
    else if (++streak >= PATIENCE) untried = 4 * streak;
    exact(block);
    sum = before[block + 1] as number; // from an array: the result of an unknown call would be boxed at each block
  }
  before[heads.length] = sum;
  return sum;
}

/** `sum` with the exps of a block without edits, undivided; -1 where the bounds leave it open. */
function addBlock(copy: Float32Array, block: number, sum: number, max: number): number {
  const from = block * BLOCK;
  const to = from + BLOCK;
  let lower = sum;
  let upper = sum;
  for (let i = from; i < to; i++) {
    const v = below((copy[i] as number) - max);
    lower += v;
    upper += v * ABOVE;
  }
  return lower === upper ? lower : -1;
}

const distances = new Float64Array(BLOCK);

/** As `addBlock`, for any block. */
function addDistances(arrays: RowArrays, block: number, sum: number, divisor: number, max: number): number {
  fillDistances(arrays, block, divisor, max, distances);
  let lower = sum;
  let upper = sum;
  for (let i = 0; i < BLOCK; i++) {
    const v = below(distances[i] as number);
    lower += v;
    upper += v * ABOVE;
  }
  return lower === upper ? lower : -1;
}

/** `RowKernel.estimate` by `below`. */
export function estimateFinely({ copy, masses }: RowArrays, said: Said, divisor: number, max: number): void {
  let total = 0;
  for (let block = 0; block < masses.length; block++) {
    const from = block * BLOCK;
    let mass = 0;
    for (let i = from; i < from + BLOCK; i++) mass += below((copy[i] as number) / divisor - max);
    masses[block] = mass;
    total += mass;
  }
  said.sum = total;
}

/** Whether these numbers are within what `roughly` can. */
export function fitsRoughly(divisor: number, max: number): boolean {
  return Math.abs(max) < BOUNDS.roughReach && divisor > 1e-3 && divisor < 1e6;
}

/** `RowKernel.estimate` by a polynomial of degree 2. */
export function estimateRoughly({ copy, masses }: RowArrays, said: Said, divisor: number, max: number): void {
  const scale = INVERSE / divisor;
  const shift = max * INVERSE;
  let total = 0;
  for (let block = 0; block < masses.length; block++) {
    const from = block * BLOCK;
    let mass = 0;
    for (let i = from; i < from + BLOCK; i++) mass += roughly((copy[i] as number) * scale - shift);
    masses[block] = mass;
    total += mass;
  }
  said.sum = total;
  said.error = BOUNDS.roughError;
}

/** `RowKernel.collectRest` by a polynomial of degree 2. */
export function collectRestRoughly(
  { copy, ids }: RowArrays,
  length: number,
  said: Said,
  threshold: number,
  divisor: number,
  max: number,
): number {
  const scale = INVERSE / divisor;
  const shift = max * INVERSE;
  let rest = 0;
  let count = 0;
  for (let i = 0; i < length; i++) {
    const l = copy[i] as number;
    if (l >= threshold) ids[count++] = i;
    else rest += roughly(l * scale - shift);
  }
  said.sum = rest;
  said.error = BOUNDS.roughError;
  return count;
}

/** `RowKernel.entropyFrom`. */
export function entropyFrom(
  arrays: RowArrays,
  said: Said,
  from: number,
  sum: number,
  divisor: number,
  max: number,
  scale: EntropyScale,
): number {
  const { blockMax, heads } = arrays;
  let s = sum;
  let block = from;
  for (; block < heads.length && heads[block] === 0 && s >= LEAST_SUM; block++) {
    if (isLost((blockMax[block] as number) / divisor - max + 7, s)) continue; // the logarithms are below 2^10
    fillDistances(arrays, block, divisor, max, distances);
    const found = addBoundedTerms(distances, s, scale);
    if (found === undefined) break;
    s = found;
  }
  said.sum = s;
  return block;
}
