/**
 * A matrix times a vector, y = W x without a bias.
 *
 * y[i] = ((0 + W[i][0] x[0]) + W[i][1] x[1]) + ...: ascending columns, one rounding a product and one a sum, in float64.
 * Eight rows are summed side by side, each in that order: the values are those of a plain double loop. A single sum would
 * wait for its last addition at every step.
 */
import { InvalidValueError } from '../errors.js';

const BLOCK = 8;

export class Linear {
  readonly rows: number;
  readonly columns: number;
  /** Blocks of eight rows; in a block column after column, so that the loop reads it from front to back. */
  readonly #packed: Float32Array;

  /** `weights` is W, f32[rows, columns] in row-major order; it is copied. `name` names it in errors. */
  constructor(weights: Float32Array, rows: number, columns: number, name = 'weights') {
    if (rows % BLOCK !== 0) throw new InvalidValueError('Linear', name, `of a multiple of ${BLOCK} rows`, rows);
    if (weights.length !== rows * columns) {
      throw new InvalidValueError('Linear', name, `of ${rows} x ${columns} elements`, weights.length);
    }
    this.rows = rows;
    this.columns = columns;
    this.#packed = new Float32Array(weights.length);
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < columns; j++) this.#packed[this.#index(i, j)] = weights[i * columns + j] as number;
    }
  }

  /** Writes W x to `out`, f64[rows]; x is f64[columns]. */
  apply(x: Float64Array, out: Float64Array): void {
    const { rows, columns } = this;
    const w = this.#packed;
    let at = 0;
    for (let i = 0; i < rows; i += BLOCK) {
      let y0 = 0;
      let y1 = 0;
      let y2 = 0;
      let y3 = 0;
      let y4 = 0;
      let y5 = 0;
      let y6 = 0;
      let y7 = 0;
      for (let j = 0; j < columns; j++) {
        const xj = x[j] as number;
        y0 += (w[at] as number) * xj;
        y1 += (w[at + 1] as number) * xj;
        y2 += (w[at + 2] as number) * xj;
        y3 += (w[at + 3] as number) * xj;
        y4 += (w[at + 4] as number) * xj;
        y5 += (w[at + 5] as number) * xj;
        y6 += (w[at + 6] as number) * xj;
        y7 += (w[at + 7] as number) * xj;
        at += BLOCK;
      }
      out[i] = y0;
      out[i + 1] = y1;
      out[i + 2] = y2;
      out[i + 3] = y3;
      out[i + 4] = y4;
      out[i + 5] = y5;
      out[i + 6] = y6;
      out[i + 7] = y7;
    }
  }

  /** Writes row `i` of W, an integer in [0, rows), to `out`, f64[columns]. */
  row(i: number, out: Float64Array): void {
    for (let j = 0; j < this.columns; j++) out[j] = this.#packed[this.#index(i, j)] as number;
  }

  #index(i: number, j: number): number {
    const lane = i % BLOCK;
    return (i - lane) * this.columns + j * BLOCK + lane;
  }
}
