/**
 * The least that a sampler can take: single passes over the vocabulary, in JavaScript and by the kernels of this build.
 */
import { defaultNumerics, exactNumerics } from 'lockstep/numerics';
import { loadedKernel, sumOf } from './kernels.mjs';
import { timeCalls } from './measure.mjs';
import { CALLS } from './subjects.mjs';

/** The exact exp of every id and the sum in id order, by the kernel that the sampler uses. */
export const EXP_SUM = 'exp+sum, kernel';

/** The same sum, to the bit, as the sampler takes it: by the kernel, and by the plain passes. */
export const SUM = 'sum, kernel';
export const PLAIN_SUM = 'sum, plain';

export const LIMITS = Object.freeze([
  ...['max', 'scan, kernel', 'copy in, kernel', 'float64 sum', 'Math.exp'],
  ...[EXP_SUM, SUM, PLAIN_SUM],
]);

/** @param {Float32Array[]} logits @param {number} rounds */
export function limitSubjects(logits, rounds) {
  const vector = (call) => call % logits.length;
  const wide = logits.map((values) => Float64Array.from(values));
  const exps = new Float64Array(logits[0].length);
  const maxima = logits.map(maximum);
  const kernels = logits.map((values) => loadedKernel(defaultNumerics(), values));
  const plain = logits.map((values) => loadedKernel(exactNumerics, values));
  const runs = [
    (call) => maximum(logits[vector(call)]),
    (call) => kernels[vector(call)].scan(),
    (call) => kernels[0].arrays.incoming.set(logits[vector(call)]),
    (call) => sum(wide[vector(call)]),
    (call) => engineExps(wide[vector(call)], maxima[vector(call)], exps),
    (call) => kernels[vector(call)].expSum(1, maxima[vector(call)]),
    (call) => sumOf(kernels[vector(call)], maxima[vector(call)]),
    (call) => sumOf(plain[vector(call)], maxima[vector(call)]),
  ];
  return LIMITS.map((name, i) => ({ name, rounds, round: () => timeCalls(runs[i], CALLS) }));
}

/** The exact sum of the exps of a row. */
export function exactSum(logits) {
  return loadedKernel(exactNumerics, logits).expSum(1, maximum(logits));
}

export function maximum(logits) {
  let max = -Infinity;
  for (let i = 0; i < logits.length; i++) if (logits[i] > max) max = logits[i];
  return max;
}

function sum(values) {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i];
  return total;
}

function engineExps(logits, max, exps) {
  for (let i = 0; i < logits.length; i++) exps[i] = Math.exp(logits[i] - max);
  return exps;
}
