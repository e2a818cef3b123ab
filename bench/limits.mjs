/**
 * The least that a sampler can take: single passes over the vocabulary, in JavaScript and by the kernel in WebAssembly.
 */
import { defaultNumerics } from 'lockstep/numerics';
import { timeCalls } from './measure.mjs';
import { CALLS } from './subjects.mjs';

/** The exact exp of every id and the sum in id order, by the kernel that the sampler uses. */
export const EXP_SUM = 'exp+sum, kernel';

export const LIMITS = Object.freeze(['max', 'scan, kernel', 'copy in, kernel', 'float64 sum', 'Math.exp', EXP_SUM]);

/** @param {Float32Array[]} logits @param {number} rounds */
export function limitSubjects(logits, rounds) {
  const vector = (call) => call % logits.length;
  const wide = logits.map((values) => Float64Array.from(values));
  const exps = new Float64Array(logits[0].length);
  const maxima = logits.map(maximum);
  const kernels = logits.map(loadedKernel);
  const runs = [
    (call) => maximum(logits[vector(call)]),
    (call) => kernels[vector(call)].scan(),
    (call) => kernels[0].arrays.incoming.set(logits[vector(call)]),
    (call) => sum(wide[vector(call)]),
    (call) => engineExps(wide[vector(call)], maxima[vector(call)], exps),
    (call) => kernels[vector(call)].expSum(1, maxima[vector(call)]),
  ];
  return LIMITS.map((name, i) => ({ name, rounds, round: () => timeCalls(runs[i], CALLS) }));
}

/** A kernel with the logits where `scan` and where `expSum` look for them. */
function loadedKernel(logits) {
  const kernel = defaultNumerics().rowKernel(logits.length);
  kernel.arrays.incoming.set(logits);
  kernel.arrays.copy.set(logits);
  return kernel;
}

function maximum(logits) {
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
