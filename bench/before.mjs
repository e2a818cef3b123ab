/**
 * An older build, for targets that say how many times as long something takes as before.
 *
 * It is loaded beside this one and takes turns with it in the same process. The first token of both is compared.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createSampler } from 'lockstep';
import { loadedKernel, sumOf } from './kernels.mjs';
import { maximum } from './limits.mjs';
import { timeCalls } from './measure.mjs';
import { CALLS, warmSampler } from './subjects.mjs';
import { CONFIGURATIONS, logitsFor, SEED } from './workload.mjs';

export const BEFORE = Object.freeze({ id: 'before, id only', sum: 'before, exp+sum' });

/** What is measured of it, as the targets need nothing else. */
const CONFIG = 'C';

/** The parts of the build whose `dist` is `folder`. Throws where there is none, or one without WebAssembly passes. */
export async function loadBefore(folder) {
  const at = (path) => pathToFileURL(resolve(folder, path));
  if (!existsSync(at('src/index.js'))) throw new Error(`no build at ${folder}: \`--before\` names its dist folder`);
  const { createSampler } = await import(at('src/index.js').href);
  const { defaultNumerics } = await import(at('src/numerics/index.js').href);
  const numerics = defaultNumerics();
  if (numerics.passes !== 'WebAssembly') throw new Error(`${folder}: its passes are ${numerics.passes}`);
  return { createSampler, numerics };
}

/** None but for the one configuration. */
export function beforeSubjects(before, config, workload, rounds) {
  if (before === undefined || config !== CONFIG) return [];
  const logits = logitsFor(config, workload);
  checkSame(before, logits[0], workload);
  const sampler = warmSampler(CONFIGURATIONS[config], logits, workload, { create: before.createSampler });
  const kernels = logits.map((values) => loadedKernel(before.numerics, values));
  const maxima = logits.map(maximum);
  const vector = (call) => call % logits.length;
  const subject = (name, run) => ({ name, rounds, round: () => timeCalls(run, CALLS) });
  return [
    subject(BEFORE.id, (call) => sampler.sampleId(logits[vector(call)])),
    subject(BEFORE.sum, (call) => sumOf(kernels[vector(call)], maxima[vector(call)])),
  ];
}

/** Throws when the two builds give different tokens for the same request. */
function checkSame(before, logits, { prompt, history }) {
  const params = { ...CONFIGURATIONS[CONFIG], seed: SEED };
  const [old, now] = [before.createSampler, createSampler].map((create) =>
    JSON.stringify(create(params, { prompt, history }).sample(logits)),
  );
  if (old !== now) throw new Error(`${CONFIG}: before ${old}, now ${now}`);
}
