/**
 * One vocabulary size and one configuration: every subject, measured in turn in one run.
 */
import { beforeSubjects } from './before.mjs';
import { childSubject, loopSubject, writeWorkload } from './children.mjs';
import { exactSum, limitSubjects } from './limits.mjs';
import { measure } from './measure.mjs';
import { C_LOOP, LLAMA, NUMPY } from './peers.mjs';
import { checkAgreement, naiveSubject, ourSubjects } from './subjects.mjs';
import { transformersSubject } from './transformers-js.mjs';
import { CONFIGURATIONS, logitsFor, makeWorkload } from './workload.mjs';

export const LLAMA_BARE = 'llama.cpp, no penalty';

/**
 * How many rounds: of ours and of the peers; of what takes long, the naive sort and a sort of all by transformers.js; and
 * untimed ones before.
 */
export const ROUNDS = Object.freeze({
  full: { ours: 20, slow: 3, warmup: 3 },
  quick: { ours: 5, slow: 1, warmup: 2 },
});

/**
 * @typedef {{ vocabSize: number, config: string, times: Map<string, import('./measure.mjs').Rounds> }} Cell
 * @returns {Promise<Cell[]>} of one vocabulary size
 */
export async function measureSize(vocabSize, rounds, peers, before) {
  const workload = makeWorkload(vocabSize);
  if (peers !== undefined) writeWorkload(peers.folder, workload);
  const cells = [];
  for (const config of Object.keys(CONFIGURATIONS)) {
    console.error(`V = ${vocabSize}, ${config} ...`);
    const subjects = await subjectsOf(config, workload, rounds, peers, before);
    cells.push({ vocabSize, config, times: await measure(subjects, rounds.ours, rounds.warmup) });
  }
  return cells;
}

async function subjectsOf(config, workload, rounds, peers, before) {
  const params = CONFIGURATIONS[config];
  const logits = logitsFor(config, workload);
  const id = checkAgreement(config, params, workload);
  return [
    ...ourSubjects(params, logits, workload, rounds.ours),
    ...limitSubjects(logits, rounds.ours),
    ...beforeSubjects(before, config, workload, rounds.ours),
    ...(await peerSubjects(peers, config, workload, rounds, id)),
    naiveSubject(params, logits, workload, rounds.slow),
  ];
}

async function peerSubjects(peers, config, workload, rounds, expected) {
  const params = CONFIGURATIONS[config];
  const bare = { ...params, repetition_penalty: 1 };
  const child = (name, program, its) => {
    return program && childSubject(name, program, config, its, workload, rounds.ours, expected);
  };
  const [vector] = logitsFor(config, workload);
  const penalized = params.repetition_penalty !== 1;
  const subjects = [
    peers?.transformers && (await transformersSubject(peers.transformers, config, workload, rounds, expected)),
    await child(LLAMA, peers?.llama, params),
    penalized && (await child(LLAMA_BARE, peers?.llama, bare)),
    await child(NUMPY, peers?.numpy, params),
    peers?.loop && (await loopSubject(C_LOOP, peers.loop, config, workload, rounds.ours, exactSum(vector))),
  ];
  return subjects.filter(Boolean);
}
