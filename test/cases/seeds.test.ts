/**
 * The public bug reports on seeds and streams. They concern many tokens of one request: on V equal logits, two lists of n
 * ids agree by chance once in V^n.
 */
import { describe, expect, it } from 'vitest';
import type { Sampler } from '../../src/core.js';
import { createSampler } from '../../src/index.js';
import {
  applyPenalties,
  processLogits,
  requestRng,
  sample,
  samplingDistribution,
  tokenLogprobs,
} from '../../src/spec.js';
import { cases, type SeedsCase, testName } from './case-file.js';

describe('B30', () => {
  const { one, input, logits } = seedsCase('B30');
  const [seed] = input.seeds as readonly [number, null];
  const alone = idsOf(createSampler({ seed }), logits, input.steps);

  it(`${testName(one)}, and the unseeded one others`, () => {
    const runs = Array.from({ length: input.runs as number }, () => runPair(seed));
    for (const { seeded } of runs) expect(seeded).toEqual(alone);
    expect(new Set(runs.map(({ unseeded }) => unseeded.join())).size).toBe(runs.length);
  });

  it('B30 an unseeded request reports the seed that repeats it', () => {
    const unseeded = createSampler();
    const ids = idsOf(unseeded, logits, input.steps);
    expect(idsOf(createSampler({ seed: unseeded.seed }), logits, input.steps)).toEqual(ids);
  });

  /** Both requests under way at once, a token of each in turn. */
  function runPair(a: number): { seeded: number[]; unseeded: number[] } {
    const [seeded, unseeded] = [createSampler({ seed: a }), createSampler()];
    for (let step = 0; step < input.steps; step++) {
      seeded.sample(logits);
      unseeded.sample(logits);
    }
    return { seeded: [...seeded.history.output], unseeded: [...unseeded.history.output] };
  }
});

describe('B31', () => {
  const { one, input, logits } = seedsCase('B31');

  for (const seed of input.seeds as readonly number[]) {
    it(`${testName(one)}: seed ${seed}`, () => {
      const ids = idsOf(createSampler({ seed }), logits, input.steps);
      expect(new Set(ids).size).toBeGreaterThan(1);
      expect(ids).toEqual(binsOfStream(seed));
    });

    it(`B31 the eight functions draw on from the generator that they are given: seed ${seed}`, () => {
      const rng = requestRng(seed);
      const history: number[] = [];
      while (history.length < input.steps) history.push(sample(logits, {}, history, rng).id);
      expect(history).toEqual(binsOfStream(seed));
    });

    it(`B31 a generator made anew for each token would repeat one id: seed ${seed}`, () => {
      const ids = Array.from({ length: input.steps }, () => createSampler({ seed }).sample(logits).id);
      expect(new Set(ids).size).toBe(1);
    });
  }

  /** The bins that the consecutive uniforms of the request's stream fall in. */
  function binsOfStream(seed: number): number[] {
    const rng = requestRng(seed);
    return Array.from({ length: input.steps }, () => bin(rng.uniform(), input.zeros));
  }
});

describe('B32', () => {
  const { one, input, logits } = seedsCase('B32');

  it(testName(one), () => {
    const lists = input.seeds.map((seed) => idsOf(createSampler(seed === null ? {} : { seed }), logits, input.steps));
    expect(new Set(lists.map((ids) => ids.join())).size).toBe(lists.length);
  });
});

describe('B38', () => {
  const { input, logits } = seedsCase('B38');
  const seed = input.seeds.find((one) => one !== null && one < 0) as number;

  it('B38 a negative seed is refused, naming seed', () => {
    const message = `SamplingParams: \`seed\` must be an integer in [0, 2^53) or a bigint in [0, 2^64), got ${seed}`;
    expect(() => createSampler({ seed })).toRefuse(message);
    for (const call of [applyPenalties, processLogits, samplingDistribution, tokenLogprobs]) {
      expect(() => call(logits, { seed })).toRefuse(message);
    }
  });
});

/** A case of this file, and its logits. */
function seedsCase(number: string): { one: SeedsCase; input: SeedsCase['input']; logits: Float32Array } {
  const one = cases.find((each) => each.number === number) as SeedsCase;
  return { one, input: one.input, logits: new Float32Array(one.input.zeros) };
}

function idsOf(sampler: Sampler, logits: Float32Array, steps: number): number[] {
  return Array.from({ length: steps }, () => sampler.sample(logits).id);
}

/** The first of n equal bins whose running sum exceeds u. */
function bin(u: number, n: number): number {
  let id = 0;
  for (let c = 1 / n; c <= u && id < n - 1; c += 1 / n) id++;
  return id;
}
