/**
 * What is timed for one vocabulary size and one configuration: our sampler, the naive one, and the least that any
 * sampler in JavaScript has to do.
 */
import { createSampler, defaultNumerics, exactNumerics, requestRng, sample } from 'lockstep';
import { naiveSample } from './naive.mjs';
import { LARGEST, logitsFor, SEED } from './workload.mjs';

/** Calls of a cheap subject in one round. */
const CALLS = 8;

/**
 * A sampler of its own each round, so that the history stays at its length: 255 ids and one sampled untimed, which also
 * makes the sampler allocate what it needs.
 */
export function ourSampler(params, logits, workload, rounds) {
  const start = () => {
    const history = workload.history.slice(0, -1);
    const sampler = createSampler({ ...params, seed: SEED }, { prompt: workload.prompt, history });
    sampler.sample(logits[0]);
    return (call) => sampler.sample(logits[call % logits.length]);
  };
  return { name: 'ours', rounds, calls: CALLS, start };
}

export function naiveSampler(params, logits, workload, rounds) {
  const uniforms = requestRng(SEED);
  const start = () => () => naiveSample(logits[0], params, workload.prompt, workload.history, uniforms.uniform());
  return { name: 'naive', rounds, calls: 1, start };
}

/**
 * The limits: one pass for the maximum, V times Math.exp, V times our exp with the sequential sum in JavaScript, and the
 * same by the kernel that the sampler uses.
 */
export function limits(logits, rounds) {
  const wide = logits.map((vector) => Float64Array.from(vector));
  const exps = new Float64Array(logits[0].length);
  const subject = (name, run) => ({ name, rounds, calls: CALLS, start: () => run });
  return [
    subject('max', (call) => maximum(logits[call % logits.length])),
    subject('Math.exp', (call) => engineExps(wide[call % wide.length], exps)),
    subject('exp+sum', (call) => exactNumerics.expSum(wide[call % wide.length], exps.length, LARGEST, exps)),
    kernelLimit(logits, rounds),
  ];
}

function kernelLimit(logits, rounds) {
  const kernel = defaultNumerics().rowKernel(logits[0].length);
  kernel.arrays.copy.set(logits[0]);
  return { name: 'kernel', rounds, calls: CALLS, start: () => () => kernel.expSum(1, LARGEST) };
}

/** Throws when our sampler and the naive one give different tokens for the same request. */
export function checkAgreement(name, params, workload) {
  const { prompt, history } = workload;
  const [logits] = logitsFor(name, workload);
  const ours = sample(logits, params, history, requestRng(SEED), prompt);
  const naive = naiveSample(logits, params, prompt, history, requestRng(SEED).uniform());
  if (ours.id !== naive.id || Math.abs(ours.logprob - naive.logprob) > 1e-9) {
    throw new Error(`${name}, V = ${workload.vocabSize}: ours ${JSON.stringify(ours)}, naive ${JSON.stringify(naive)}`);
  }
}

function maximum(logits) {
  let max = -Infinity;
  for (let i = 0; i < logits.length; i++) if (logits[i] > max) max = logits[i];
  return max;
}

function engineExps(logits, exps) {
  for (let i = 0; i < logits.length; i++) exps[i] = Math.exp(logits[i] - LARGEST);
  return exps;
}
