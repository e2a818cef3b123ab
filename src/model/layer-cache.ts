/**
 * The keys and values of one layer for the positions of one sequence.
 */
export class LayerCache {
  /** Turned keys, f64[positions, width] in row-major order. */
  readonly keys: Float64Array;
  /** Values, likewise. */
  readonly values: Float64Array;
  /** The number of a position's coordinates, all heads together. */
  readonly width: number;

  constructor(positions: number, width: number) {
    this.keys = new Float64Array(positions * width);
    this.values = new Float64Array(positions * width);
    this.width = width;
  }

  /** Writes one position's key and value, f64[width] each. What stood there before is gone. */
  write(position: number, key: Float64Array, value: Float64Array): void {
    this.keys.set(key, position * this.width);
    this.values.set(value, position * this.width);
  }
}
