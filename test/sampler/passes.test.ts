/**
 * Which passes over a whole row a token takes: a sum serves the draw and the logprob, and no exp is kept that nobody asks for.
 */
import { describe, expect, it } from 'vitest';
import type { LogitsProcessor } from '../../processors/index.js';
import { createContainer } from '../../src/container/index.js';
import { ProcessorChain, type SamplingParamsInput, Temperature } from '../../src/index.js';
import { exactNumerics, type Numerics } from '../../src/numerics/index.js';
import { createSampler } from '../../src/request/create-sampler.js';
import { kernelWith } from '../support/kernel-with.js';
import { withNumerics } from './counting-numerics.js';

/** The passes over a row, but for scan and walk, with their divisors. */
function passesOf(
  params: SamplingParamsInput,
  ask: (sampler: ReturnType<typeof createSampler>, row: Float32Array) => void,
  chain?: ProcessorChain,
) {
  const passes: (readonly [pass: string, divisor: number])[] = [];
  const rowKernel: Numerics['rowKernel'] = (length) => {
    const kernel = exactNumerics.rowKernel(length);
    return kernelWith(kernel, {
      expSum(divisor, max) {
        passes.push(['exps', divisor]);
        return kernel.expSum(divisor, max);
      },
      sum(divisor, max) {
        passes.push(['sum', divisor]);
        return kernel.sum(divisor, max);
      },
      estimate(fine, divisor, max) {
        passes.push(['masses', divisor]);
        return kernel.estimate(fine, divisor, max);
      },
    });
  };
  const container = createContainer(withNumerics({ ...exactNumerics, rowKernel }));
  const sampler = createSampler({ seed: 7, ...params }, { container, ...(chain && { chain }) });
  ask(
    sampler,
    Float32Array.from({ length: 300 }, (_, id) => ((id * 37) % 101) / 10),
  );
  return passes;
}

describe('a row is gone over', () => {
  it('for the sum of the logprob, the draw, and the sum of the entropy, where the temperature is not 1', () => {
    const passes = passesOf({ temperature: 0.8 }, (sampler, row) => {
      sampler.sample(row);
      sampler.entropy();
    });
    expect(passes).toEqual([
      ['sum', 1],
      ['masses', 0.8],
      ['sum', 0.8],
    ]);
  });

  it('for one sum where the temperature is 1', () => {
    const passes = passesOf({}, (sampler, row) => {
      sampler.sample(row);
      sampler.entropy();
    });
    expect(passes).toEqual([['sum', 1]]);
  });

  it('for a sum that the draw takes over where a step behind the temperature asked for a probability', () => {
    const look: LogitsProcessor = { name: 'look', process: (candidates) => void candidates.probability(0) };
    const chain = new ProcessorChain([new Temperature({ temperature: 0.8 }), look]);
    expect(passesOf({}, (sampler, row) => void sampler.sample(row), chain)).toEqual([
      ['sum', 1],
      ['sum', 0.8],
    ]);
  });

  it('for masses alone where no logprob is asked for', () => {
    expect(passesOf({ temperature: 0.8 }, (sampler, row) => void sampler.sampleId(row))).toEqual([['masses', 0.8]]);
  });

  it('for a sum where a greedy token has a logprob', () => {
    expect(passesOf({ temperature: 0 }, (sampler, row) => void sampler.sample(row))).toEqual([['sum', 1]]);
  });
});
