/**
 * transformers.js: the processors and the sampler that its `generate` uses, from the folder of the peers.
 *
 * What `generate` does with the model's output is timed: the slice of the last position, the processors, the sampler. It
 * knows no min_p and ignores top_p, so A is timed with penalty, temperature and top_k alone, and B and D are left out:
 * they would be C.
 */
import { readFileSync } from 'node:fs';
import { timeAsyncCalls } from './measure.mjs';
import { CALLS } from './subjects.mjs';
import { CONFIGURATIONS, logitsFor } from './workload.mjs';

export const TRANSFORMERS = 'transformers.js';

const FOLDER = new URL('peers/node_modules/@huggingface/transformers/', import.meta.url);

/** The sampler is not among the package's exports, so its source files are loaded. */
export async function loadTransformers() {
  const load = (path) => import(new URL(`src/${path}`, FOLDER).href);
  const { version } = JSON.parse(readFileSync(new URL('package.json', FOLDER), 'utf8'));
  const parts = {
    ...(await load('generation/logits_process.js')),
    ...(await load('generation/logits_sampler.js')),
    ...(await load('generation/configuration_utils.js')),
    ...(await load('utils/tensor.js')),
  };
  return { version, parts };
}

/** None for B and D. `expected` is the id of the greedy configuration. */
export async function transformersSubject({ parts }, config, workload, rounds, expected) {
  if (config === 'B' || config === 'D') return undefined;
  const params = CONFIGURATIONS[config];
  const logits = logitsFor(config, workload);
  const { Tensor } = parts;
  const outputs = logits.map((vector) => new Tensor('float32', vector, [1, 1, vector.length]));
  const ids = [[...workload.prompt, ...workload.history].map(BigInt)];
  const { list, sampler } = prepare(parts, params);
  const run = async (call) => {
    const scores = list(ids, outputs[call % outputs.length].slice(null, -1, null).to('float32'));
    return (await sampler(scores[0]))[0];
  };
  const [id] = await run(0);
  if (config === 'G' && Number(id) !== expected) throw new Error(`${TRANSFORMERS}: id ${id}, not ${expected}`);
  const sortsAll = config === 'C';
  const round = () => timeAsyncCalls(run, sortsAll ? 2 : CALLS);
  return { name: TRANSFORMERS, rounds: sortsAll ? rounds.slow : rounds.ours, round };
}

function prepare(parts, { temperature, top_k, repetition_penalty }) {
  const list = new parts.LogitsProcessorList();
  const greedy = temperature === 0;
  if (repetition_penalty !== 1) list.push(new parts.RepetitionPenaltyLogitsProcessor(repetition_penalty));
  if (!greedy && temperature !== 1) list.push(new parts.TemperatureLogitsWarper(temperature));
  const generation = new parts.GenerationConfig({ do_sample: !greedy, top_k: greedy ? 50 : top_k });
  return { list, sampler: parts.LogitsSampler.getSampler(generation) };
}
