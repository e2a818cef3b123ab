/**
 * One request: logits in, tokens out, each with its logprob. The same digits in every JavaScript engine.
 */
import { createSampler } from 'lockstep';

// One request: parameters under the names that request bodies have for them.
const sampler = createSampler(
  { temperature: 0.8, top_k: 40, top_p: 0.95, min_p: 0.05, repetition_penalty: 1.1, seed: 7 },
  { prompt: [3, 1, 4] },
);

// The model's logits, one an id: a Float32Array, a Float64Array or an array of numbers.
const logits = Float32Array.from([1.5, 0.2, 3.1, -0.7, 2.9, 0.4]);

for (let i = 0; i < 5; i++) {
  const { id, logprob } = sampler.sample(logits);
  console.log(id, logprob);
}

console.log(sampler.draws); // 5: one uniform a token
console.log(sampler.entropy()); // of the distribution that the last token was drawn from, in nats
