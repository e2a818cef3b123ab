/**
 * Processors of one's own at work: in a chain, in a container, in a chain as data, and a plain object as a mask in front
 * of the spec's chain.
 */
import { createSampler, ProcessorChain } from 'lockstep';
import { createContainer, processorModule } from 'lockstep/container';
import { Temperature } from 'lockstep/processors';
import { NearBest } from './near-best.mjs';

const logits = Float32Array.of(1, 3, 2, 3, -1, 0.5);
const seed = 7;
const ids = (sampler) => Array.from({ length: 12 }, () => sampler.sample(logits).id).join(' ');

// 1. In a chain, beside the processors that Lockstep ships.
const chain = new ProcessorChain([new Temperature({ temperature: 0.9 }), new NearBest({ gap: 1.2 })]);
console.log(`chain      ${ids(createSampler({ seed }, { chain }))}`);

// 2. The same chain as data: the container knows the class by its name.
const container = createContainer(processorModule(NearBest));
const data = JSON.parse(JSON.stringify(chain.toData()));
console.log(`data       ${JSON.stringify(data)}`);
console.log(`container  ${ids(createSampler({ seed }, { chain: data, container }))}`);

// 3. What is left when the token is drawn, seen by an observer.
createSampler({ seed }, { chain }).sample(logits, {
  draw(_u, candidates) {
    console.log(`keeps      ${candidates.ids().join(' ')}`);
  },
});

// 4. A wrong option is refused in the words of the schema.
try {
  new NearBest({ gap: -2 });
} catch (error) {
  console.log(`refused    ${error.message}`);
}

// 5. A plain object is a processor too. This one is a mask: of stage `scores`, so logprobs are over what it allows.
const evenIdsOnly = {
  name: 'even-ids-only',
  stage: 'scores',
  process: (allowed) => allowed.keepIds((id) => id % 2 === 0),
};
console.log(`masked     ${ids(createSampler({ top_p: 0.95, seed }, { before: [evenIdsOnly] }))}`);
