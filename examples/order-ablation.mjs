/**
 * Does the order of the steps matter? The same logits and the same seeds through every order of three steps; how often
 * does the token differ from that of the spec's order?
 */
import { createSampler } from 'lockstep';
import { stream } from 'lockstep/core';
import { NormalSource } from 'lockstep/random';

const steps = [
  { use: 'temperature', temperature: 1.5 },
  { use: 'top-p', p: 0.8 },
  { use: 'min-p', m: 0.1 },
]; // in the spec's order
const SEEDS = 40;

const normals = new NormalSource(stream(1, 'init'));
const vectors = Array.from({ length: 50 }, () => Float64Array.from({ length: 60 }, () => 2.5 * normals.normal()));

/** The ids of one order, for every seed and every vector. */
function sampleAll(chain) {
  return Array.from({ length: SEEDS }, (_, seed) => {
    const sampler = createSampler({ seed }, { chain });
    return vectors.map((logits) => sampler.sample(logits).id);
  }).flat();
}

/** Every order of `items`, the given one first. */
function orders(items) {
  if (items.length === 0) return [[]];
  return items.flatMap((first, i) => orders(items.toSpliced(i, 1)).map((rest) => [first, ...rest]));
}

const reference = sampleAll(steps);
for (const order of orders(steps)) {
  const differing = sampleAll(order).filter((id, i) => id !== reference[i]).length;
  const percent = ((100 * differing) / reference.length).toFixed(1);
  console.log(`${order.map(({ use }) => use.padEnd(11)).join(' > ')}  ${percent.padStart(5)} % of the tokens differ`);
}
