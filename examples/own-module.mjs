/**
 * Replacing a part: modules of one's own rebind what the container holds, and nothing else changes.
 */
import { ContainerModule } from 'inversify';
import { createSampler } from 'lockstep';
import { createContainer, PARTS } from 'lockstep/container';
import { engineNumerics } from 'lockstep/numerics';

const logits = Float32Array.of(1, 3, 2, 3, -1);

// 1. Uniforms from a script instead of the seed's stream: every place of the walk can be visited at will.
const script = [0, 0.1, 0.49, 0.51, 0.97, 0.9999];
const scripted = new ContainerModule(({ rebind }) => {
  rebind(PARTS.uniforms).toConstantValue(() => {
    const left = [...script];
    return { uniform: () => left.shift() ?? 0 };
  });
});
const walker = createSampler({ seed: 0 }, { container: createContainer(scripted) });
for (const u of script) console.log(`u = ${u}: id ${walker.sample(logits).id}`);

// 2. The engine's own exp and log instead of the exact ones: nearly the same numbers, but not the same bits.
const engine = new ContainerModule(({ rebind }) => {
  rebind(PARTS.numerics).toConstantValue(engineNumerics);
});
const exactly = createSampler({ seed: 1 });
const roughly = createSampler({ seed: 1 }, { container: createContainer(engine) });
const tokens = 2000;
let sameIds = 0;
let otherBits = 0;
for (let i = 0; i < tokens; i++) {
  const varied = logits.map((l, id) => l + Math.sqrt(i * (id + 1)) / 100);
  const [a, b] = [exactly.sample(varied), roughly.sample(varied)];
  if (a.id === b.id) sameIds++;
  if (!Object.is(a.logprob, b.logprob)) otherBits++;
}
console.log(`${tokens} tokens: ${sameIds} ids agree, ${otherBits} logprobs have other bits`);
