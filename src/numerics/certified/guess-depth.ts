/**
 * How far down the nucleus of a row about reaches, judged by some of the ids: a guess that the search checks.
 */

import { BLOCK, type RowKernel } from '../row.js';
import { BOUNDS, roughly, stepTable } from './below.js';

/** Rows so short are taken whole. */
const SHORT = 1024;
/** Ids within so many nats of the largest are few, and have much of the mass: each is counted. */
const NEAR = 5;
/** Of the others, 8 ids in every eighth block speak for 512. */
const RUN = 8;
const STRIDE = 8 * BLOCK;
const FINENESS = 32;
const BUCKETS = 512;
const DEEPEST = (BUCKETS - 0.5) / FINENESS;
/** What is left behind the nucleus shrinks by so much, and the depth grows by so many nats, to be safe. */
const SAFETY = 0.85;
const SPARE = 0.125;

const INVERSE = BOUNDS.inverse;
const sums = new Float64Array(BUCKETS);

/** A depth below the largest logit, in nats; Infinity for the whole row. */
export function guessDepth(kernel: RowKernel, length: number, divisor: number, max: number, p: number): number {
  if (length <= SHORT) return Infinity;
  stepTable();
  sums.fill(0);
  addNear(kernel, divisor, max);
  addSome(kernel, length, divisor, max);
  let total = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket++) total += sums[bucket] as number;
  const goal = total * (1 - SAFETY * (1 - p));
  let bucket = 0;
  for (let sum = 0; bucket < BUCKETS; bucket++) {
    sum += sums[bucket] as number;
    if (sum >= goal) break;
  }
  return (bucket + 1) / FINENESS + SPARE;
}

function addNear(kernel: RowKernel, divisor: number, max: number): void {
  const count = kernel.collect(Math.fround((max - NEAR) * divisor));
  const { copy, ids } = kernel.arrays;
  for (let i = 0; i < count; i++) add(max - (copy[ids[i] as number] as number) / divisor, 1);
}

function addSome(kernel: RowKernel, length: number, divisor: number, max: number): void {
  const { copy } = kernel.arrays;
  const end = length - RUN;
  for (let from = 0; from <= end; from += STRIDE) {
    const to = from + RUN;
    for (let id = from; id < to; id++) {
      const depth = max - (copy[id] as number) / divisor;
      if (depth > NEAR) add(depth, STRIDE / RUN);
    }
  }
}

/** Counts an id so many times in the bucket of its depth, those far down in the last one. */
function add(depth: number, times: number): void {
  const within = Math.min(depth, DEEPEST);
  const bucket = (within * FINENESS) | 0;
  sums[bucket] = (sums[bucket] as number) + times * roughly(-within * INVERSE);
}
