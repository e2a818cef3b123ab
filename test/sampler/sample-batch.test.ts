import { describe, expect, it } from 'vitest';
import type { LogitsProcessor } from '../../processors/index.js';
import { createContainer } from '../../src/container/index.js';
import type { Sampler } from '../../src/core.js';
import {
  AllowedTokens,
  createSampler,
  InvalidValueError,
  NothingLeftError,
  type SamplingParamsInput,
  sampleBatch,
} from '../../src/index.js';
import { Pcg32 } from '../../src/random/index.js';
import { show } from '../../src/show.js';
import { countingNumerics, withNumerics } from './counting-numerics.js';

const V = 200;
const POLICIES: readonly SamplingParamsInput[] = [
  { temperature: 0 },
  { top_k: 5, repetition_penalty: 1.3 },
  { top_p: 0.8, temperature: 1.4 },
  { min_p: 0.1, frequency_penalty: 0.5 },
  {},
];

const request = (i: number): Sampler => createSampler({ ...POLICIES[i % POLICIES.length], seed: i }, { prompt: [i] });

function randomMatrix(rows: number, seed: number): Float32Array {
  const rng = new Pcg32(seed);
  return Float32Array.from({ length: rows * V }, () => rng.uniform() * 8 - 4);
}

describe('sampleBatch', () => {
  it('gives each row what its request gives alone, over several steps, in any order and batch size', () => {
    const alone = Array.from({ length: 10 }, (_, i) => request(i));
    const batched = Array.from({ length: 10 }, (_, i) => request(i));
    const shuffled = Array.from({ length: 10 }, (_, i) => request(i));
    for (let step = 0; step < 6; step++) {
      const matrix = randomMatrix(10, step);
      const row = (i: number) => matrix.subarray(i * V, (i + 1) * V);
      const expected = alone.map((sampler, i) => sampler.sample(row(i)));
      expect(sampleBatch(matrix, batched)).toEqual(expected);
      const order = [7, 2, 9, 0, 4, 1, 8, 3, 6, 5];
      const first = sampleBatch(
        order.slice(0, 3).map(row),
        order.slice(0, 3).map((i) => shuffled[i] as Sampler),
      );
      const rest = sampleBatch(
        order.slice(3).map(row),
        order.slice(3).map((i) => shuffled[i] as Sampler),
      );
      expect([...first, ...rest]).toEqual(order.map((i) => expected[i]));
    }
  });

  it('takes rows of different vocabularies, float64 rows and arrays', () => {
    const greedy = () => createSampler({ temperature: 0 });
    const tokens = sampleBatch([[0, 9], Float64Array.of(9, 0, 0)], [greedy(), greedy()]);
    expect(tokens).toMatchObject([{ id: 1 }, { id: 0 }]);
  });

  it('puts the error of a refused row in its place and samples the others', () => {
    const samplers = [request(1), request(2), request(3)];
    const matrix = randomMatrix(3, 1);
    const expected = [1, 3].map((i, n) => request(i).sample(matrix.subarray(2 * n * V, (2 * n + 1) * V)));
    matrix[V + 7] = Number.NaN;
    const [first, refused, last] = sampleBatch(matrix, samplers);
    expect([first, last]).toEqual(expected);
    expect(refused).toBeInstanceOf(InvalidValueError);
    expect((refused as InvalidValueError).message).toBe(
      'Sampler: `logits[7]` must be a finite number or -Infinity, got NaN',
    );
    expect([samplers[1]?.draws, samplers[1]?.history.output]).toEqual([0, []]);
  });

  /** Three samplers, the second with a step that throws `thrown`. */
  const withBroken = (thrown: unknown): Sampler[] => {
    const broken: LogitsProcessor = {
      name: 'broken',
      stage: 'scores',
      process() {
        throw thrown;
      },
    };
    return [request(1), createSampler({ seed: 2 }, { before: [broken] }), request(3)];
  };

  it('S4: puts the error of a step in its row and samples the others as alone', () => {
    const matrix = randomMatrix(3, 1);
    const expected = [1, 3].map((i, n) => request(i).sample(matrix.subarray(2 * n * V, (2 * n + 1) * V)));
    const bug = new TypeError('a bug');
    const samplers = withBroken(bug);
    const [first, failed, last] = sampleBatch(matrix, samplers);
    expect([first, last]).toEqual(expected);
    expect(failed).toBe(bug);
    expect(samplers.map(({ draws, history }) => [draws, history.output.length])).toEqual([
      [1, 1],
      [0, 0],
      [1, 1],
    ]);
  });

  it.each(['a text', undefined, null, 7n, { of: 'no class' }])('S4: wraps a thrown %s in an error', (thrown) => {
    const [first, failed, last] = sampleBatch(randomMatrix(3, 1), withBroken(thrown));
    expect(failed).toBeInstanceOf(Error);
    expect(failed).toMatchObject({ message: `a thrown ${show(thrown)}`, cause: thrown });
    expect([first, last]).toMatchObject([{ id: expect.any(Number) }, { id: expect.any(Number) }]);
  });

  it.each([undefined, null, {}, 3])('S4: puts the refusal of %s, which is no sampler, in its row', (none) => {
    const matrix = randomMatrix(4, 1);
    const samplers = [request(1), none as unknown as Sampler, request(3), none as unknown as Sampler];
    const tokens = sampleBatch(matrix, samplers);
    for (const [row, i] of [
      [0, 1],
      [2, 3],
    ] as const) {
      expect(tokens[row]).toEqual(request(i).sample(matrix.subarray(row * V, (row + 1) * V)));
    }
    for (const row of [1, 3]) {
      expect(tokens[row]).toMatchObject({
        message: `sampleBatch: \`samplers[${row}]\` must be a Sampler, got ${show(none)}`,
      });
    }
  });

  it('puts what a mask that leaves nothing says in its row', () => {
    const nothing = createSampler({ seed: 1 }, { before: [new AllowedTokens({ ids: [0] })] });
    const masked = Float32Array.of(-Infinity, 1);
    const [failed, token] = sampleBatch([masked, masked], [nothing, createSampler({ seed: 1 })]);
    expect(failed).toBeInstanceOf(NothingLeftError);
    expect(token).toEqual({ id: 1, logprob: 0 });
    expect([nothing.draws, nothing.history.output]).toEqual([0, []]);
  });

  it('M3: says of each token what is asked, and gives the arrays back', () => {
    const matrix = randomMatrix(5, 2);
    const counted = countingNumerics();
    const container = createContainer(withNumerics(counted.numerics));
    const samplers = POLICIES.map((params, i) => createSampler({ ...params, seed: i }, { container }));
    const tokens = sampleBatch(matrix, samplers, { entropy: true, topLogprobs: 3 });
    expect(counted.made).toBe(1);
    for (const [i, params] of POLICIES.entries()) {
      const alone = createSampler({ ...params, seed: i });
      const token = alone.sample(matrix.subarray(i * V, (i + 1) * V));
      expect(tokens[i]).toEqual({ ...token, entropy: alone.entropy(), topLogprobs: alone.topLogprobs(3) });
      expect(() => samplers[i]?.entropy()).toRefuse(
        'Sampler: `entropy` must be asked for before `release`, got "released"',
      );
    }
    expect(sampleBatch([matrix.subarray(0, V)], [request(0)], { topLogprobs: 1 })[0]).not.toHaveProperty('entropy');
  });

  it.each([
    [{ topLogprobs: -1 }, 'sampleBatch: `topLogprobs` must be an integer >= 0, got -1'],
    [{ entropy: 1 }, 'sampleBatch: `entropy` must be true or false, got 1'],
    [{ logprobs: 1 }, 'sampleBatch: `logprobs` must be absent (the parameters are: entropy, topLogprobs), got 1'],
    [null, 'sampleBatch: `options` must be a plain object, got null'],
  ])('refuses to read %j, before anything is sampled', (reading, message) => {
    const sampler = request(1);
    expect(() => sampleBatch([[1, 2]], [sampler], reading as never)).toRefuse(message);
    expect(sampler.draws).toBe(0);
  });

  it.each([null, undefined, 'x', { length: 1 }])('refuses samplers that are %s', (samplers) => {
    expect(() => sampleBatch([[1, 2]], samplers as never)).toThrow('sampleBatch: `samplers` must be an array');
  });

  it.each([
    {
      why: 'too few rows',
      rows: [[1, 2]],
      count: 2,
      says: 'sampleBatch: `rows` must be 2 rows, one for each sampler, got [[1, 2]]',
    },
    {
      why: 'what holds no rows',
      rows: { length: 1 },
      count: 1,
      says: 'sampleBatch: `rows` must be 1 rows, one for each sampler, got { length: 1 }',
    },
    {
      why: 'a matrix that does not divide',
      rows: new Float32Array(3),
      count: 2,
      says: 'sampleBatch: `rows` must be f32[2, V], a multiple of 2 logits, got Float32Array(3)',
    },
    {
      why: 'no samplers for a matrix',
      rows: new Float32Array(1),
      count: 0,
      says: 'sampleBatch: `rows` must be f32[0, V], a multiple of 0 logits, got Float32Array(1)',
    },
  ])('refuses $why before anything is sampled', ({ rows, count, says }) => {
    const samplers = Array.from({ length: count }, (_, i) => request(i));
    expect(() => sampleBatch(rows as never, samplers)).toRefuse(says);
    expect(samplers.map(({ draws }) => draws)).toEqual(samplers.map(() => 0));
  });

  it('refuses a sampler that is in the batch twice', () => {
    const sampler = request(1);
    expect(() =>
      sampleBatch(
        [
          [1, 2],
          [1, 2],
        ],
        [sampler, sampler],
      ),
    ).toRefuse('sampleBatch: `samplers[1]` must be in the batch once, got "twice"');
  });
});
