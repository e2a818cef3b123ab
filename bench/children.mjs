/**
 * The peers that run as programs of their own, numpy's, llama.cpp's and the loop in C: they read the same logits and ids from
 * files and time each token themselves.
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

/** How far the loop's sum may be from ours, as a share: they are equal by glibc's exp, and other libraries have others. */
const SUM_TOLERANCE = 1e-12;

function kindOf(config) {
  return config === 'B' ? 'flat' : 'peaked';
}

/**
 * One round is one request, `V kind calls`; the answer is the sum of the first vector, which must be `expected`, and the
 * milliseconds of each call.
 */
export async function loopSubject(name, child, config, { vocabSize }, rounds, expected) {
  const request = `${vocabSize} ${kindOf(config)} ${CALLS}`;
  const round = async () => (await child.ask(request)).split(' ').map(Number);
  const [sum] = await round();
  if (!(Math.abs(sum - expected) <= SUM_TOLERANCE * expected)) throw new Error(`${name}: ${sum}, not ${expected}`);
  return { name, rounds, round: async () => (await round()).slice(1) };
}

/**
 * One round is one request, `V kind calls r T k p m`; the answer is the first call's id, the number of candidates that
 * it left, and the milliseconds of each call. `expected` is the id of the greedy configuration.
 */
export async function childSubject(name, child, config, params, workload, rounds, expected) {
  const { repetition_penalty, temperature, top_k, top_p, min_p } = params;
  const options = [repetition_penalty, temperature, top_k, top_p, min_p];
  const request = [workload.vocabSize, kindOf(config), CALLS, ...options].join(' ');
  const round = async () => (await child.ask(request)).split(' ').map(Number);
  const [id, kept] = await round();
  if (config === 'G' && repetition_penalty !== 1 && id !== expected) {
    throw new Error(`${name}: id ${id}, not ${expected}`);
  }
  return { name, kept, rounds, round: async () => (await round()).slice(2) };
}
