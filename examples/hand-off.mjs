/**
 * A request moves to another worker in the middle: saved as JSON, restored, and it goes on with the same ids and the same
 * logprobs as if it had stayed.
 */
import { createSampler, NormalSource, Pcg32, restoreSampler, saveSampler } from 'lockstep';

const VOCAB_SIZE = 40;
const TOKENS = 16;

/** Stands in for a model: logits that depend on the last id and on how many came before. */
function logitsAfter({ history }) {
  const normals = new NormalSource(new Pcg32(history.output.at(-1) ?? 0, history.output.length));
  return Float32Array.from({ length: VOCAB_SIZE }, () => 2 * normals.normal());
}

function go(sampler, count) {
  return Array.from({ length: count }, () => sampler.sample(logitsAfter(sampler)));
}

const params = { temperature: 0.9, top_p: 0.95, repetition_penalty: 1.2, frequency_penalty: 0.3, seed: 2n ** 63n + 5n };
const prompt = [3, 14, 15];

const stayed = go(createSampler(params, { prompt }), TOKENS);

const first = createSampler(params, { prompt });
const before = go(first, 7);
const letter = JSON.stringify(saveSampler(first));
const second = restoreSampler(JSON.parse(letter)); // elsewhere, later
const moved = [...before, ...go(second, TOKENS - before.length)];

console.log(`letter  ${letter}`);
console.log(`stayed  ${stayed.map(({ id }) => id).join(' ')}`);
console.log(`moved   ${moved.map(({ id }) => id).join(' ')}`);
const same = stayed.every(({ id, logprob }, i) => id === moved[i].id && Object.is(logprob, moved[i].logprob));
console.log(same ? 'the same ids and the same bits of every logprob' : 'THEY DIFFER');
if (!same) process.exitCode = 1;
