import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSampler, InvalidValueError, type SamplingParamsInput } from '../../src/index.js';
import { Pcg32 } from '../../src/random/index.js';
import { processLogits, requestRng, sample, samplingDistribution } from '../../src/spec.js';
import { nextDown } from '../support/bits.js';
import { roughNormal } from '../support/requests.js';
import { Scripted } from '../support/scripted.js';

function normals(seed: number, size: number, scale = 2): number[] {
  const random = new Pcg32(seed, 77);
  return Array.from({ length: size }, () => Math.fround(scale * roughNormal(random)));
}

/** The cumulative sums of q, ascending. */
function cumulative(q: ArrayLike<number>): number[] {
  let c = 0;
  return Array.from(q, (value) => {
    c += value;
    return c;
  });
}

describe('test_inverse_cdf_boundaries', () => {
  const CONFIGURATIONS = [
    { name: 'plain', logits: normals(1, 12), params: {} },
    { name: 'hot', logits: normals(2, 40), params: { temperature: 1.8 } },
    { name: 'top-k', logits: normals(3, 40), params: { top_k: 9 } },
    { name: 'top-p', logits: normals(4, 40, 1), params: { top_p: 0.8 } },
    { name: 'min-p', logits: normals(5, 40), params: { min_p: 0.05 } },
    {
      name: 'all filters and penalties',
      logits: normals(6, 60),
      params: { temperature: 0.9, top_k: 30, top_p: 0.95, min_p: 0.01, repetition_penalty: 1.2, presence_penalty: 0.3 },
    },
    { name: 'ties and masks', logits: [0, 1, -Infinity, 1, 0, 1, -Infinity, 0, 1], params: { top_k: 5 } },
  ];
  const history = [3, 1, 3];

  it.each(CONFIGURATIONS)('$name: u just below F_i gives id i, u = F_i the next id', ({ logits, params }) => {
    const q = samplingDistribution(logits, params, history);
    const ids = [...q.keys()].filter((id) => (q[id] as number) > 0);
    const F = cumulative(q);
    const draw = (u: number) => sample(logits, params, history, new Scripted([u])).id;
    expect(ids.length).toBeGreaterThan(3);
    expect(draw(0)).toBe(ids[0]);
    ids.forEach((id, i) => {
      const f = F[id] as number;
      if (nextDown(f) < 1) expect(draw(nextDown(f))).toBe(id); // rounding may take F beyond 1, where no u is
      if (f < 1) expect(draw(f)).toBe(ids[Math.min(i + 1, ids.length - 1)]);
    });
  });

  it.each(CONFIGURATIONS)('$name: the intervals are those of a sampler too', ({ logits, params }) => {
    const F = cumulative(samplingDistribution(logits, params, history));
    for (const f of F.filter((value) => value > 0 && value < 1)) {
      const u = nextDown(f);
      const seeded = createSampler({ ...params, seed: 3 }, { history });
      const drawn = requestRng(3).uniform();
      expect(seeded.sample(logits).id).toBe(sample(logits, params, history, new Scripted([drawn])).id);
      expect(sample(logits, params, history, new Scripted([u])).id).toBe(F.findIndex((value) => u < value));
    }
  });

  it('gives the largest id with q > 0 when rounding leaves c at or below u', () => {
    const last = 1 - 2 ** -53;
    const ten = Array(10).fill(0); // ten times 0.1 makes 1 - 2^-53
    expect(cumulative(samplingDistribution(ten, {})).at(-1)).toBe(last);
    expect(sample(ten, {}, [], new Scripted([last])).id).toBe(9);
    expect(sample(ten, {}, [], new Scripted([nextDown(last)])).id).toBe(9);
    // what is kept, but so unlikely that q is 0, is not it
    expect(sample([...ten, -800, -900], {}, [], new Scripted([last])).id).toBe(9);
    expect(sample([-800, ...ten, -800], {}, [], new Scripted([last])).id).toBe(10);
  });

  it('passes over ids with q = 0', () => {
    const logits = [-800, 0, -800, 0, -800];
    expect(samplingDistribution(logits, {})).toEqual(Float64Array.of(0, 0.5, 0, 0.5, 0));
    expect(sample(logits, {}, [], new Scripted([0])).id).toBe(1);
    expect(sample(logits, {}, [], new Scripted([nextDown(0.5)])).id).toBe(1);
    expect(sample(logits, {}, [], new Scripted([0.5])).id).toBe(3);
    expect(sample(logits, {}, [], new Scripted([nextDown(1)])).id).toBe(3);
  });

  it('takes u and not 1 - u', () => {
    expect(sample([0, 0], {}, [], new Scripted([0.25])).id).toBe(0);
    expect(sample([0, 0], {}, [], new Scripted([0.75])).id).toBe(1);
  });

  it('walks ids in ascending order, not by rank', () => {
    expect(sample([0, 5], {}, [], new Scripted([0])).id).toBe(0);
    expect(sample([0, 5, 1], { top_k: 2 }, [], new Scripted([nextDown(1)])).id).toBe(2);
  });
});

describe('test_chi_square_against_the_distribution', () => {
  const DRAWS = 20_000;
  const CONFIGURATIONS = [
    { name: 'plain', params: {}, history: [] },
    { name: 'all filters', params: { temperature: 1.3, top_k: 20, top_p: 0.95, min_p: 0.02 }, history: [] },
    { name: 'penalties', params: { repetition_penalty: 1.4, presence_penalty: 0.5, top_p: 0.9 }, history: [1, 1, 5] },
  ];
  const logits = normals(9, 24, 1.2);

  it.each(CONFIGURATIONS)(`$name: ${DRAWS} seeded draws follow q`, ({ params, history }) => {
    const q = samplingDistribution(logits, params, history);
    const counts = drawn(params, history);
    const { statistic, freedom } = chiSquare(counts, q);
    expect(freedom).toBeGreaterThan(4);
    expect(statistic).toBeLessThan(critical(freedom));
    expect(statistic).toBeGreaterThan(freedom / 10); // and not as even as a scheme that does not draw
  });

  it('would notice a distribution that is a little off', () => {
    const counts = drawn({ temperature: 1.15 }, []);
    expect(chiSquare(counts, samplingDistribution(logits, { temperature: 1.15 })).statistic).toBeLessThan(critical(23));
    expect(chiSquare(counts, samplingDistribution(logits, {})).statistic).toBeGreaterThan(critical(23));
  });

  /** How often each id was drawn: by `sample` where the penalties must not see the draws, else by a sampler. */
  function drawn(params: SamplingParamsInput, history: number[]): Float64Array {
    const rng = requestRng(777);
    const sampler = createSampler({ ...params, seed: 777 });
    const counts = new Float64Array(logits.length);
    for (let n = 0; n < DRAWS; n++) {
      const { id } = history.length > 0 ? sample(logits, params, history, rng) : sampler.sample(logits);
      counts[id] = (counts[id] as number) + 1;
    }
    return counts;
  }

  /** Pearson's statistic over the ids with q > 0; an id with q = 0 must not have been drawn. */
  function chiSquare(counts: Float64Array, q: Float64Array): { statistic: number; freedom: number } {
    let statistic = 0;
    let freedom = -1;
    q.forEach((share, id) => {
      const seen = counts[id] as number;
      if (share === 0) {
        expect(seen).toBe(0);
        return;
      }
      const expected = share * DRAWS;
      statistic += (seen - expected) ** 2 / expected;
      freedom++;
    });
    return { statistic, freedom };
  }
});

/** The value that chi square exceeds once in a thousand times (Wilson and Hilferty's cube). */
function critical(freedom: number): number {
  const spread = 2 / (9 * freedom);
  return freedom * (1 - spread + 3.0902 * Math.sqrt(spread)) ** 3;
}

describe('test_one_draw_per_token_none_for_greedy', () => {
  const logits = normals(12, 30);
  const SAMPLED = [
    {},
    { temperature: 1e-3 },
    { top_k: 1 },
    { top_p: 1e-9 },
    { min_p: 1 },
    { temperature: 5, top_k: 3 },
  ];

  it.each(SAMPLED)('takes one uniform with %j', (params) => {
    const rng = new Scripted([0.3]);
    sample(logits, params, [], rng);
    expect(rng.taken).toBe(1);
  });

  it('takes one uniform where one id is left', () => {
    const rng = new Scripted([0.3]);
    sample([-Infinity, 2], {}, [], rng);
    expect(rng.taken).toBe(1);
  });

  it.each([{ temperature: 0 }, { temperature: -0 }, { temperature: 0, top_k: 4, top_p: 0.5, repetition_penalty: 2 }])(
    'takes none with %j',
    (params) => {
      const rng = new Scripted([]);
      sample(logits, params, [1, 2], rng);
      expect(rng.taken).toBe(0);
    },
  );

  it('leaves the generator exactly n uniforms on after n tokens', () => {
    const rng = requestRng(5);
    const skipped = requestRng(5);
    const sampler = createSampler({ seed: 5, top_p: 0.7 });
    for (let n = 1; n <= 40; n++) {
      sample(logits, { top_p: 0.7 }, [], rng);
      sampler.sample(logits);
      skipped.skip(1);
      expect(rng.save()).toEqual(skipped.save());
      expect(sampler.draws).toBe(n);
    }
  });

  it('leaves the generator where it was after greedy tokens', () => {
    const rng = requestRng(5);
    for (let n = 0; n < 10; n++) sample(logits, { temperature: 0 }, [], rng);
    expect(rng.save()).toEqual(requestRng(5).save());
    const sampler = createSampler({ seed: 5, temperature: 0 });
    for (let n = 0; n < 10; n++) sampler.sample(logits);
    expect(sampler.draws).toBe(0);
  });

  it.each([
    ['logits with NaN', () => sample([0, Number.NaN], {}, [], new Scripted([]))],
    ['logits with +Infinity', () => sample([0, Infinity], {}, [], new Scripted([]))],
    ['no logits', () => sample([], {}, [], new Scripted([]))],
    ['a mask that allows nothing', () => sample([-Infinity, -Infinity], {}, [], new Scripted([]))],
    ['an id outside', () => sample([0, 0], {}, [2], new Scripted([]))],
    ['a wrong parameter', () => sample([0, 0], { top_p: 0 }, [], new Scripted([]))],
    ['a temperature that overflows', () => sample([1e300, 0], { temperature: 1e-300 }, [], new Scripted([]))],
  ])('takes none when it refuses %s', (_, call) => {
    expect(call).toThrow(InvalidValueError); // and not the error of a script that has run out
  });

  it('gives one token the same whatever was sampled before: the position alone counts', () => {
    const warm = requestRng(8);
    for (let n = 0; n < 7; n++) sample(normals(n, 5 + n), {}, [], warm);
    const skipped = requestRng(8);
    skipped.skip(7);
    expect(sample(logits, {}, [], warm)).toEqual(sample(logits, {}, [], skipped));
  });
});

describe('test_greedy_and_its_limits', () => {
  const anyLogits = fc.array(
    fc.oneof(fc.integer({ min: -4, max: 4 }), fc.constant(-0), fc.double({ noNaN: true, min: -50, max: 50 })),
    {
      minLength: 1,
      maxLength: 40,
    },
  );
  const anyUniform = fc.integer({ min: 0, max: 2 ** 53 - 1 }).map((n) => n / 2 ** 53);

  it('gives the largest logit at T = 0, ties to the lowest id', () => {
    fc.assert(
      fc.property(anyLogits, (logits) => {
        const lowest = logits.indexOf(Math.max(...logits)); // indexOf too takes -0 and 0 for equal
        expect(sample(logits, { temperature: 0 }, [], new Scripted([])).id).toBe(lowest);
      }),
    );
  });

  it.each([
    { logits: [2, 2, 2], id: 0 },
    { logits: [1, 2, 2], id: 1 },
    { logits: [-1, -1, -2], id: 0 },
    { logits: [-0, 0], id: 0 },
    { logits: [0, -0], id: 0 },
    { logits: [-Infinity, -5, -Infinity, -5], id: 1 },
    { logits: [5e-324, 0, 5e-324], id: 0 },
    { logits: [...Array(300).fill(1), 2, 2, ...Array(3000).fill(1)], id: 300 },
  ])('gives id $id of ties', ({ logits, id }) => {
    for (const params of [{ temperature: 0 }, { top_k: 1 }, { temperature: 0, top_k: 2, top_p: 0.2, min_p: 1 }]) {
      expect(sample(logits, params, [], { uniform: () => 1 - 2 ** -53 }).id).toBe(id);
    }
  });

  it('gives the same with top-k 1, for any uniform', () => {
    fc.assert(
      fc.property(anyLogits, anyUniform, (logits, u) => {
        const greedy = sample(logits, { temperature: 0 }, [], new Scripted([]));
        expect(sample(logits, { top_k: 1 }, [], new Scripted([u]))).toEqual(greedy);
      }),
    );
  });

  it('gives the same with a tiny temperature where the margin is clear, for any uniform', () => {
    fc.assert(
      fc.property(anyLogits, anyUniform, (logits, u) => {
        const clear = logits.map((l) => Math.trunc(l));
        clear.push(Math.max(...clear) + 1);
        const greedy = sample(clear, { temperature: 0 }, [], new Scripted([]));
        expect(greedy.id).toBe(clear.length - 1);
        expect(sample(clear, { temperature: 1e-3 }, [], new Scripted([u]))).toEqual(greedy);
      }),
    );
  });

  it('is one-hot at T = 0, and leaves the scores as they are', () => {
    const logits = [1, 3, 3, -Infinity];
    const params = { temperature: 0, top_k: 1, top_p: 0.5, min_p: 0.5, presence_penalty: 1 };
    expect(samplingDistribution(logits, params)).toEqual(Float64Array.of(0, 1, 0, 0));
    expect(processLogits(logits, params, [1])).toEqual(Float64Array.of(1, 2, 3, -Infinity));
  });

  it('chooses after the penalties', () => {
    expect(sample([3, 2.5], { temperature: 0, presence_penalty: 1 }, [0], new Scripted([])).id).toBe(1);
    expect(sample([3, 2.5], { temperature: 0, repetition_penalty: 2 }, [], new Scripted([]), [0]).id).toBe(1);
  });

  it('does not divide: logits that a small temperature would overflow are fine', () => {
    expect(sample([1e308, -1e308], { temperature: 0 }, [], new Scripted([]))).toEqual({ id: 0, logprob: 0 });
  });
});
