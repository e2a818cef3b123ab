/**
 * The workload of the benchmark: logits, ids and configurations, the same in every run and on every machine.
 */
import { NormalSource, Pcg32 } from 'lockstep/random';
import { validate } from 'lockstep/spec';

export const VOCAB_SIZES = [32_000, 50_257, 128_256, 151_936];

export const SEED = 2024;

const PROMPT_LENGTH = 512;
const HISTORY_LENGTH = 256;
/** Vectors of each kind; tokens take them in turn, so that no branch is learned by heart. */
const VECTORS = 4;
const DEVIATION = 3;
const LARGE_IDS = 8;
/** No logit of the workload is larger. */
export const LARGEST = 18;

/** Complete sampling parameters by the letter that the tables use. */
export const CONFIGURATIONS = Object.freeze({
  G: validate({ temperature: 0, repetition_penalty: 1.1 }),
  A: validate({ repetition_penalty: 1.1, temperature: 0.8, top_k: 40, top_p: 0.95, min_p: 0.05 }),
  B: validate({ top_p: 0.9 }),
  C: validate({}),
  D: validate({ min_p: 0.05 }),
});

/**
 * What one vocabulary size is measured with: logits normal(0, 3) with a few large values.
 *
 * `flat`: these reach 14, and a nucleus of 0.9 is 600 to 7,000 ids. `peaked`: they reach 18, and a few ids have nearly
 * all of the probability, as when a model knows what comes next.
 * @typedef {{ vocabSize: number, flat: Float32Array[], peaked: Float32Array[], prompt: number[], history: number[] }} Workload
 */

/** @returns {Workload} */
export function makeWorkload(vocabSize) {
  const random = new Pcg32(SEED, vocabSize);
  const normals = new NormalSource(random);
  const ids = (length) => Array.from({ length }, () => random.below(vocabSize));
  const plain = Array.from({ length: VECTORS }, () =>
    Float32Array.from({ length: vocabSize }, () => DEVIATION * normals.normal()),
  );
  const flat = plain.map((logits) => withLargeValues(logits, 10, 14, random));
  const peaked = plain.map((logits) => withLargeValues(logits, 14, LARGEST, random));
  return { vocabSize, flat, peaked, prompt: ids(PROMPT_LENGTH), history: ids(HISTORY_LENGTH) };
}

/** The logits that a configuration is measured on: flat ones for B, so that its nucleus is wide. */
export function logitsFor(name, workload) {
  return name === 'B' ? workload.flat : workload.peaked;
}

/** A copy with some values uniform on [low, high). */
function withLargeValues(logits, low, high, random) {
  const copy = logits.slice();
  for (let i = 0; i < LARGE_IDS; i++) copy[random.below(logits.length)] = low + (high - low) * random.uniform();
  return copy;
}
