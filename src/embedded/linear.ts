/**
 * A matrix times a vector, y = W x without a bias: y[i] is the sum of W[i][j] x[j] over ascending j, from 0, in float64.
 */
import { InvalidValueError } from '../errors.js';
import { blockIndex, eightSums32, LANES } from './eight-sums.js';

export class Linear {
  readonly rows: number;
  readonly columns: number;
  /** As float32: the numbers of the file take half the memory traffic, which is what the pass waits for. */
  readonly #blocks: Float32Array;

  /** `weights` is W, f32[rows, columns] in row-major order; it is copied. `name` names it in errors. */
  constructor(weights: Float32Array, rows: number, columns: number, name = 'weights') {
    if (rows % LANES !== 0) throw new InvalidValueError('Linear', name, `of a multiple of ${LANES} rows`, rows);
    if (weights.length !== rows * columns) {
      throw new InvalidValueError('Linear', name, `of ${rows} x ${columns} elements`, weights.length);
    }
    this.rows = rows;
    this.columns = columns;
    this.#blocks = new Float32Array(weights.length);
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < columns; j++) this.#blocks[blockIndex(i, j, columns)] = weights[i * columns + j] as number;
    }
  }

  /** Writes W x to `out`, f64[rows]; x is f64[columns]. */
  apply(x: Float64Array, out: Float64Array): void {
    const { rows, columns } = this;
    const blocks = this.#blocks;
    for (let i = 0; i < rows; i += LANES) eightSums32(blocks, i * columns, x, 0, columns, out, i);
  }

  /** Writes row `i` of W, an integer in [0, rows), to `out`, f64[columns]. */
  row(i: number, out: Float64Array): void {
    const { columns } = this;
    for (let j = 0; j < columns; j++) out[j] = this.#blocks[blockIndex(i, j, columns)] as number;
  }
}
