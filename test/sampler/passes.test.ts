/**
 * How many times the exps of a whole row are computed for a token: what was summed before the draw is not summed again.
 */
import { describe, expect, it } from 'vitest';
import type { LogitsProcessor } from '../../processors/index.js';
import { createContainer } from '../../src/container/index.js';
import { ProcessorChain, type SamplingParamsInput, Temperature } from '../../src/index.js';
import { exactNumerics, type Numerics } from '../../src/numerics/index.js';
import { createSampler } from '../../src/request/create-sampler.js';
import { withNumerics } from './counting-numerics.js';

/** The divisors of each pass of exps over a row. */
function passesOf(
  params: SamplingParamsInput,
  ask: (sampler: ReturnType<typeof createSampler>, row: Float32Array) => void,
  chain?: ProcessorChain,
) {
  const divisors: number[] = [];
  const rowKernel: Numerics['rowKernel'] = (length) => {
    const kernel = exactNumerics.rowKernel(length);
    return {
      arrays: kernel.arrays,
      scan: () => kernel.scan(),
      keepMask: (words) => kernel.keepMask(words),
      collect: (threshold) => kernel.collect(threshold),
      walk: (total, u) => kernel.walk(total, u),
      expSum(divisor, max) {
        divisors.push(divisor);
        return kernel.expSum(divisor, max);
      },
    };
  };
  const container = createContainer(withNumerics({ ...exactNumerics, rowKernel }));
  const sampler = createSampler({ seed: 7, ...params }, { container, ...(chain && { chain }) });
  ask(
    sampler,
    Float32Array.from({ length: 300 }, (_, id) => ((id * 37) % 101) / 10),
  );
  return divisors;
}

describe('the exps of a row are computed', () => {
  it('twice for a token with logprob and entropy, where the temperature is not 1', () => {
    const divisors = passesOf({ temperature: 0.8 }, (sampler, row) => {
      sampler.sample(row);
      sampler.entropy();
    });
    expect(divisors).toEqual([1, 0.8]);
  });

  it('once where the temperature is 1', () => {
    const divisors = passesOf({}, (sampler, row) => {
      sampler.sample(row);
      sampler.entropy();
    });
    expect(divisors).toEqual([1]);
  });

  it('no third time where a step behind the temperature asked for probabilities, and kept all', () => {
    const look: LogitsProcessor = { name: 'look', process: (candidates) => void candidates.probability(0) };
    const chain = new ProcessorChain([new Temperature({ temperature: 0.8 }), look]);
    expect(passesOf({}, (sampler, row) => void sampler.sample(row), chain)).toEqual([0.8, 1]);
  });

  it('once for an id alone', () => {
    expect(passesOf({ temperature: 0.8 }, (sampler, row) => void sampler.sampleId(row))).toEqual([0.8]);
  });

  it('once for a greedy token with its logprob', () => {
    expect(passesOf({ temperature: 0 }, (sampler, row) => void sampler.sample(row))).toEqual([1]);
  });
});
