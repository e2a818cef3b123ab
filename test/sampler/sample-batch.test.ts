import { describe, expect, it } from 'vitest';
import {
  createSampler,
  InvalidValueError,
  Pcg32,
  type Sampler,
  type SamplingParamsInput,
  sampleBatch,
} from '../../src/index.js';

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

  it('passes on an error that is no refusal', () => {
    const step = {
      name: 'broken',
      process() {
        throw new TypeError('a bug');
      },
    };
    const sampler = createSampler({ seed: 1 }, { chain: [] });
    expect(sampleBatch([[1, 2]], [sampler])).toHaveLength(1);
    const broken = createSampler({ seed: 1 }, { before: [{ ...step, stage: 'scores' }] });
    expect(() => sampleBatch([[1, 2]], [broken])).toThrow('a bug');
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
