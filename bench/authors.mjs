/**
 * What a step of one's own costs at V = 128,256: min-p beside the built-in one, eta and typical sampling beside a plain loop
 * over an array, as a processor for transformers.js would be written.
 *
 *   npm run build && node bench/authors.mjs
 *
 * Prints a row a pair: medians of a whole token, from raw logits to an id, and their ratio. The subjects take turns.
 */
import { createSampler, MinP, ProcessorChain } from 'lockstep';
import { etaLoop, typicalLoop } from './author-loops.mjs';
import { eta, minP, typical } from './author-steps.mjs';
import { measure, median, timeCalls } from './measure.mjs';
import { SEED } from './workload.mjs';

const V = 128_256;
const ROUNDS = 9;
const WARMUP = 1;
const CALLS = 2;
/** What is timed, beside what, and how many times as long it may take. */
const PAIRS = [
  { name: 'min-p', ours: minP(0.05), beside: 'built-in', target: 2 },
  { name: 'eta', ours: eta(3e-4), beside: 'plain loop', loop: etaLoop(3e-4), target: 0.7 },
  { name: 'typical', ours: typical(0.9), beside: 'plain loop', loop: typicalLoop(0.9), target: 0.3 },
];

/** Logits like a model's, near normal(0, 3), from a generator that takes no time: sums of four uniforms. */
function logitsOf(seed) {
  let state = seed;
  const uniform = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 8) / 2 ** 24;
  };
  return Float32Array.from({ length: V }, () => 5.2 * (uniform() + uniform() + uniform() + uniform() - 2));
}

const flat = [1, 2, 3, 4].map(logitsOf);

function withStep(step) {
  const sampler = createSampler({ seed: SEED }, { chain: new ProcessorChain([step]) });
  return (call) => sampler.sampleId(flat[call % flat.length]);
}

function subject(name, run) {
  return { name, rounds: ROUNDS, round: () => timeCalls(run, CALLS) };
}

/** A loop has its uniform from anywhere: what is timed is the way to it. */
const besideOf = ({ loop }) =>
  loop === undefined ? withStep(new MinP({ m: 0.05 })) : (call) => loop(flat[call % flat.length], 0.37);

for (const pair of PAIRS) {
  const subjects = [subject('own', withStep(pair.ours)), subject('other', besideOf(pair))];
  const times = await measure(subjects, ROUNDS, WARMUP);
  const [own, other] = ['own', 'other'].map((name) => median(times.get(name).flat()));
  const ratio = own / other;
  const verdict = ratio <= pair.target ? 'holds' : 'missed';
  console.log(
    `${pair.name.padEnd(8)} own ${own.toFixed(2)} ms, ${pair.beside} ${other.toFixed(2)} ms: ${ratio.toFixed(2)} (at most ${pair.target}: ${verdict})`,
  );
}
