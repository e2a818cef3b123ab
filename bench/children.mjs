/**
 * The peers that run as programs of their own, numpy's and llama.cpp's: they read the same logits and ids from files and
 * time each token themselves.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CALLS } from './subjects.mjs';

/** Writes what the programs read: all vectors of a kind after each other, f32, and the ids, i32. */
export function writeWorkload(folder, { vocabSize, flat, peaked, prompt, history }) {
  const write = (name, arrays) => {
    writeFileSync(join(folder, `${vocabSize}.${name}`), Buffer.concat(arrays.map(({ buffer }) => Buffer.from(buffer))));
  };
  write('flat', flat);
  write('peaked', peaked);
  write('ids', [Int32Array.from([...prompt, ...history])]);
}

/**
 * One round is one request, `V kind calls r T k p m`; the answer is the first call's id, the number of candidates that
 * it left, and the milliseconds of each call. `expected` is the id of the greedy configuration.
 */
export async function childSubject(name, child, config, params, workload, rounds, expected) {
  const { repetition_penalty, temperature, top_k, top_p, min_p } = params;
  const kind = config === 'B' ? 'flat' : 'peaked';
  const request = [workload.vocabSize, kind, CALLS, repetition_penalty, temperature, top_k, top_p, min_p].join(' ');
  const round = async () => (await child.ask(request)).split(' ').map(Number);
  const [id, kept] = await round();
  if (config === 'G' && repetition_penalty !== 1 && id !== expected) {
    throw new Error(`${name}: id ${id}, not ${expected}`);
  }
  return { name, kept, rounds, round: async () => (await round()).slice(2) };
}
