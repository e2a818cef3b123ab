/**
 * Causal self-attention with rotary positions, one position at a time over a cache.
 *
 * For each head, with q the turned query and n = position + 1: score[p] = (sum of q[i] k[p][i] over ascending i) * c,
 * c = 1 / sqrt(h); a[p] = exp(score[p] - max) / Z, Z the sum of those powers over ascending p; and the mixed value is
 * the sum of a[p] v[p] over ascending p, each from 0. The output matrix is applied to all heads' mixed values.
 * Source: Vaswani et al. 2017, arXiv 1706.03762.
 */
import { exactNumerics } from '../numerics/numerics.js';
import type { LayerCache } from './layer-cache.js';
import type { Linear } from './linear.js';
import type { Rotary } from './rotary.js';

export interface AttentionParts {
  readonly query: Linear;
  readonly key: Linear;
  readonly value: Linear;
  readonly output: Linear;
  readonly rotary: Rotary;
  readonly heads: number;
  /** The most positions. */
  readonly positions: number;
}

export class Attention {
  readonly #parts: AttentionParts;
  /** h: the length of a head. */
  readonly #size: number;
  readonly #scale: number;
  readonly #query: Float64Array;
  readonly #key: Float64Array;
  readonly #value: Float64Array;
  readonly #mixed: Float64Array;
  readonly #scores: Float64Array;

  constructor(parts: AttentionParts) {
    const width = parts.query.rows;
    this.#parts = parts;
    this.#size = width / parts.heads;
    this.#scale = 1 / Math.sqrt(this.#size);
    this.#query = new Float64Array(width);
    this.#key = new Float64Array(width);
    this.#value = new Float64Array(width);
    this.#mixed = new Float64Array(width);
    this.#scores = new Float64Array(parts.positions);
  }

  /** Enters `position` with the input `x` into `cache`, which holds all before it, and writes its output to `out`. */
  apply(x: Float64Array, position: number, cache: LayerCache, out: Float64Array): void {
    const { query, key, value, output, rotary, heads } = this.#parts;
    query.apply(x, this.#query);
    key.apply(x, this.#key);
    value.apply(x, this.#value);
    rotary.turn(this.#query, position);
    rotary.turn(this.#key, position);
    cache.write(position, this.#key, this.#value);
    for (let head = 0; head < heads; head++) {
      this.#weigh(head * this.#size, position + 1, cache);
      this.#mix(head * this.#size, position + 1, cache);
    }
    output.apply(this.#mixed, out);
  }

  /** Writes a[p] for the first `count` positions of the head at coordinate `at`. */
  #weigh(at: number, count: number, cache: LayerCache): void {
    const scores = this.#scores;
    let max = -Infinity;
    for (let p = 0; p < count; p++) {
      const score = this.#dot(at, cache.keys, p * cache.width) * this.#scale;
      scores[p] = score;
      if (score > max) max = score;
    }
    const sum = exactNumerics.expSum(scores, count, max, scores);
    for (let p = 0; p < count; p++) scores[p] = (scores[p] as number) / sum;
  }

  #dot(at: number, keys: Float64Array, row: number): number {
    const query = this.#query;
    let sum = 0;
    for (let i = at; i < at + this.#size; i++) sum += (query[i] as number) * (keys[row + i] as number);
    return sum;
  }

  #mix(at: number, count: number, cache: LayerCache): void {
    const mixed = this.#mixed;
    const end = at + this.#size;
    mixed.fill(0, at, end);
    for (let p = 0; p < count; p++) {
      const weight = this.#scores[p] as number;
      const row = p * cache.width;
      for (let i = at; i < end; i++) mixed[i] = (mixed[i] as number) + weight * (cache.values[row + i] as number);
    }
  }
}
