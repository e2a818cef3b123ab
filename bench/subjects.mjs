/**
 * Our sampler in its four forms and the naive one, as subjects for one vocabulary size and one configuration.
 */
import { ContainerModule } from 'inversify';
import { createSampler } from 'lockstep';
import { createContainer, PARTS } from 'lockstep/container';
import { defaultNumerics, exactNumerics } from 'lockstep/numerics';
import { requestRng, sample } from 'lockstep/spec';
import { timeCalls } from './measure.mjs';
import { naiveSample } from './naive.mjs';
import { logitsFor, SEED } from './workload.mjs';

/** Calls of a cheap subject in one round. */
export const CALLS = 8;

/** The names of ours: `plain` is the fallback for engines without WebAssembly. */
export const OURS = Object.freeze({
  id: 'ours, id only',
  logprob: 'ours, logprob',
  plainId: 'plain, id only',
  plainLogprob: 'plain, logprob',
});

export const NAIVE = 'naive sort';

/** A container whose samplers use `numerics`. */
function containerWith(numerics) {
  return createContainer(
    new ContainerModule(({ rebind }) => {
      rebind(PARTS.numerics).toConstantValue(numerics);
    }),
  );
}

/** All four: what an engine uses by default, and the fallback, each without and with the logprob. */
export function ourSubjects(params, logits, workload, rounds) {
  const fast = containerWith(defaultNumerics());
  const plain = containerWith(exactNumerics);
  const subject = (name, container, method) => {
    const sampler = warmSampler(params, logits, workload, { container });
    const run = (call) => sampler[method](logits[call % logits.length]);
    return { name, rounds, round: () => timeCalls(run, CALLS) };
  };
  return [
    subject(OURS.id, fast, 'sampleId'),
    subject(OURS.logprob, fast, 'sample'),
    subject(OURS.plainId, plain, 'sampleId'),
    subject(OURS.plainLogprob, plain, 'sample'),
  ];
}

/** A sampler that has what it allocates: one request goes on through all rounds. `create` makes it, of this build or another. */
export function warmSampler(params, logits, { prompt, history }, { container, create = createSampler } = {}) {
  const options = { prompt, history, ...(container && { container }) };
  const sampler = create({ ...params, seed: SEED }, options);
  for (const vector of logits) sampler.sample(vector);
  return sampler;
}

export function naiveSubject(params, logits, workload, rounds) {
  const uniforms = requestRng(SEED);
  const run = () => naiveSample(logits[0], params, workload.prompt, workload.history, uniforms.uniform());
  return { name: NAIVE, rounds, round: () => timeCalls(run, 1) };
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
  return ours.id;
}
