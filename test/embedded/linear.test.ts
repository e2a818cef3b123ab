import { describe, expect, it } from 'vitest';
import { blockIndex, eightSums64, LANES } from '../../src/embedded/eight-sums.js';
import { Linear } from '../../src/embedded/linear.js';
import { Pcg32 } from '../../src/random/pcg32.js';
import { expectSameBits } from '../support/bits.js';

const random = new Pcg32(7, 54n);

function randoms(length: number): Float64Array {
  return Float64Array.from({ length }, () => 2 * random.uniform() - 1);
}

/** A sum from the left; another order gives other bits. */
function plainSum(count: number, product: (j: number) => number): number {
  let sum = 0;
  for (let j = 0; j < count; j++) sum += product(j);
  return sum;
}

describe('Linear', () => {
  it.each([
    [8, 1],
    [8, 7],
    [16, 33],
    [40, 160],
  ])('gives a %i x %i matrix times a vector in the order of ascending columns', (rows, columns) => {
    const weights = Float32Array.from(randoms(rows * columns));
    const x = randoms(columns);
    const out = new Float64Array(rows);
    new Linear(weights, rows, columns).apply(x, out);
    const at = (i: number, j: number) => (weights[i * columns + j] as number) * (x[j] as number);
    expectSameBits(
      out,
      Array.from(out, (_, i) => plainSum(columns, (j) => at(i, j))),
    );
  });

  it('gives each row of its matrix', () => {
    const weights = Float32Array.from(randoms(16 * 5));
    const linear = new Linear(weights, 16, 5);
    const out = new Float64Array(5);
    for (let i = 0; i < 16; i++) {
      linear.row(i, out);
      expectSameBits(out, weights.slice(5 * i, 5 * i + 5), `row ${i}`);
    }
  });

  it('keeps its own copy of the weights', () => {
    const weights = new Float32Array(8).fill(1);
    const linear = new Linear(weights, 8, 1);
    weights.fill(2);
    const out = new Float64Array(8);
    linear.apply(Float64Array.of(3), out);
    expect([...out]).toEqual(new Array(8).fill(3));
  });

  it('refuses rows that are not a multiple of eight, and weights of another number', () => {
    expect(() => new Linear(new Float32Array(12), 12, 1, 'w')).toRefuse(
      'Linear: `w` must be of a multiple of 8 rows, got 12',
    );
    expect(() => new Linear(new Float32Array(15), 8, 2)).toRefuse(
      'Linear: `weights` must be of 8 x 2 elements, got 15',
    );
  });
});

describe('eightSums64', () => {
  it('sums a part of a vector with a part of the blocks into a part of the output', () => {
    const [columns, from, count] = [10, 3, 6];
    const matrix = randoms(16 * columns);
    const blocks = new Float64Array(matrix.length);
    for (let i = 0; i < 16; i++) {
      for (let j = 0; j < columns; j++) blocks[blockIndex(i, j, columns)] = matrix[i * columns + j] as number;
    }
    const x = randoms(20);
    const out = new Float64Array(20).fill(-1);
    eightSums64(blocks, blockIndex(8, 2, columns), x, from, count, out, 5);
    const sums = Array.from({ length: LANES }, (_, r) =>
      plainSum(count, (j) => (x[from + j] as number) * (matrix[(8 + r) * columns + 2 + j] as number)),
    );
    expectSameBits(out, [...new Array(5).fill(-1), ...sums, ...new Array(7).fill(-1)]);
  });

  it('gives zeros for no elements', () => {
    const out = new Float64Array(8).fill(-1);
    eightSums64(new Float64Array(), 0, new Float64Array(), 0, 0, out, 0);
    expectSameBits(out, new Array(8).fill(0));
  });
});
