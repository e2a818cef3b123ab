/**
 * What each step of the chain did to one token, as data.
 *
 * The trace looks on through the sampler's observer: it samples the token that would have been sampled without it. It
 * copies the candidates at every step, so it costs O(V) a step and is not for the token loop.
 */
import type { CandidateSet } from '../candidates/candidate-set.js';
import type { Logits } from '../logits.js';
import { passesOf } from '../numerics/default-numerics.js';
import type { Passes } from '../numerics/passes.js';
import { checkSampler, type SampledToken, type SampleObserver, type Sampler } from './sampler.js';

/** A kept id as a step left it. */
export interface TracedCandidate {
  readonly id: number;
  readonly logit: number;
  /** The softmax over the kept ids. */
  readonly q: number;
}

/** The kept ids at one point, most likely first, ties to the lower id. */
export type TracedCandidates = readonly TracedCandidate[];

export interface TracedStep {
  /** The step's index in the chain. */
  readonly index: number;
  readonly name: string;
  readonly options: object;
  /** False when the step was off, or came after one that settled the token. */
  readonly ran: boolean;
  /** How many ids it kept, of how many. */
  readonly kept: number;
  readonly of: number;
  /** How many logits it changed, of those that it kept. */
  readonly changed: number;
  /** These ids, ascending. */
  readonly changedIds: readonly number[];
  /** The sum of q, before the step, of the ids that it removed, in ascending id order. */
  readonly removedMass: number;
  /** q, before the step, of the least likely id that it kept. Absent where it removed none. */
  readonly threshold?: number;
  /** Of q over the kept ids, in nats. Absent where it did not run. */
  readonly entropy?: { readonly before: number; readonly after: number };
  readonly before: TracedCandidates;
  readonly after: TracedCandidates;
}

/** The walk of the inverse CDF over one id: c is the running sum that includes its q. */
export interface TracedWalk {
  readonly id: number;
  readonly q: number;
  readonly c: number;
}

export interface Trace {
  readonly vocabSize: number;
  /** The passes over the vocabulary that the token was worked out with; the same bits whichever they are. */
  readonly numerics: { readonly name: string } & Passes;
  readonly start: TracedCandidates;
  readonly steps: readonly TracedStep[];
  /** Logprobs are defined before the step at this index. */
  readonly tap: number;
  /** M and Z of the logprobs: the largest score, and the sum of exp(l - M) over all ids. */
  readonly scores: { readonly max: number; readonly total: number };
  /** Absent when the token was settled without a draw. */
  readonly draw?: { readonly u: number; readonly walk: readonly TracedWalk[] };
  readonly token: SampledToken;
}

/** Samples one token with `sampler`, which enters it as always, and tells how. */
export function traceSample(sampler: Sampler, logits: Logits): Trace {
  checkSampler('traceSample', 'sampler', sampler);
  let numerics: Trace['numerics'] = { name: '', passes: 'other' };
  let start: TracedCandidates = [];
  let latest: Snapshot = { list: [], entropy: 0 };
  let scores: Trace['scores'] = { max: Number.NaN, total: Number.NaN };
  let draw: Trace['draw'];
  const ran = new Map<number, TracedStep>();
  const observer: SampleObserver = {
    start(candidates) {
      numerics = { name: candidates.numerics.name, ...passesOf(candidates.numerics) };
      latest = snapshot(candidates);
      start = latest.list;
    },
    step(index, { name, options = {} }, candidates) {
      const after = snapshot(candidates);
      ran.set(index, tracedStep(index, name, options, latest, after));
      latest = after;
    },
    scored({ max, total }) {
      scores = { max, total };
    },
    draw(u, candidates) {
      draw = { u, walk: walk(candidates, u) };
    },
  };
  const token = sampler.sample(logits, observer);
  const steps = sampler.chain.steps.map(
    ({ name, options = {} }, index) => ran.get(index) ?? idle(index, name, options),
  );
  return {
    vocabSize: logits.length,
    numerics,
    start,
    steps,
    tap: sampler.chain.tap,
    scores,
    ...(draw && { draw }),
    token,
  };
}

/** The kept ids at one point, and their entropy. */
interface Snapshot {
  readonly list: TracedCandidates;
  readonly entropy: number;
}

function snapshot(candidates: CandidateSet): Snapshot {
  const { ids, logits, probabilities } = candidates.ranked(candidates.size);
  const list = Array.from(ids, (id, rank) => ({ id, logit: logits[rank] as number, q: probabilities[rank] as number }));
  return { list, entropy: candidates.entropy() };
}

function tracedStep(index: number, name: string, options: object, from: Snapshot, to: Snapshot): TracedStep {
  const [before, after] = [from.list, to.list];
  const old = new Map(before.map(({ id, logit }) => [id, logit]));
  const changedIds = after.filter(({ id, logit }) => !Object.is(old.get(id), logit)).map(({ id }) => id);
  return {
    ...{ index, name, options, ran: true, kept: after.length, of: before.length },
    changed: changedIds.length,
    changedIds: changedIds.sort((a, b) => a - b),
    ...removal(before, after),
    entropy: { before: from.entropy, after: to.entropy },
    ...{ before, after },
  };
}

/** What was removed, and the least likely id that was not. */
function removal(before: TracedCandidates, after: TracedCandidates): Pick<TracedStep, 'removedMass' | 'threshold'> {
  const kept = new Set(after.map(({ id }) => id));
  const removed = before.filter(({ id }) => !kept.has(id)).sort((a, b) => a.id - b.id);
  if (removed.length === 0) return { removedMass: 0 };
  const threshold = before.findLast(({ id }) => kept.has(id))?.q;
  return { removedMass: removed.reduce((sum, { q }) => sum + q, 0), ...(threshold !== undefined && { threshold }) };
}

function idle(index: number, name: string, options: object): TracedStep {
  return {
    index,
    name,
    options,
    ran: false,
    kept: 0,
    of: 0,
    changed: 0,
    changedIds: [],
    removedMass: 0,
    before: [],
    after: [],
  };
}

/** The ids that the inverse CDF passes, up to the one it stops at. */
function walk(candidates: CandidateSet, u: number): TracedWalk[] {
  const ids = candidates.ids();
  const probabilities = candidates.probabilities();
  const passed: TracedWalk[] = [];
  let c = 0;
  for (let i = 0; i < ids.length && !(u < c); i++) {
    const q = probabilities[i] as number;
    c += q;
    passed.push({ id: ids[i] as number, q, c });
  }
  return passed;
}
