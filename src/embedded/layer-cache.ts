/**
 * The keys and values of one layer for the positions of one sequence, in blocks for `eightSums64`.
 */
import { blockIndex, LANES } from './eight-sums.js';

export class LayerCache {
  /** The most positions, up to a whole block. */
  readonly positions: number;
  /** The number of a position's coordinates, all heads together: a multiple of 8. */
  readonly width: number;
  /** Turned keys: the matrix [positions, width], for sums over a head's coordinates. */
  readonly keys: Float64Array;
  /** Values: the matrix [width, positions], for sums over positions. */
  readonly values: Float64Array;

  constructor(positions: number, width: number) {
    this.positions = Math.ceil(positions / LANES) * LANES;
    this.width = width;
    this.keys = new Float64Array(this.positions * width);
    this.values = new Float64Array(width * this.positions);
  }

  /** Takes over the first `count` positions of `other`, a cache of the same sizes; the others are not touched. */
  copyFrom(other: LayerCache, count: number): void {
    const whole = Math.ceil(count / LANES) * LANES;
    this.keys.set(other.keys.subarray(0, whole * this.width));
    for (let row = 0; row < this.width; row += LANES) {
      const from = blockIndex(row, 0, this.positions);
      this.values.set(other.values.subarray(from, from + count * LANES), from);
    }
  }

  /** Writes one position's key and value, f64[width] each. What stood there before is gone. */
  write(position: number, key: Float64Array, value: Float64Array): void {
    const { width, positions } = this;
    for (let i = 0; i < width; i++) {
      this.keys[blockIndex(position, i, width)] = key[i] as number;
      this.values[blockIndex(i, position, positions)] = value[i] as number;
    }
  }
}
