/**
 * Causal self-attention with rotary positions, one position at a time over a cache.
 *
 * For each head, with q the turned query and n = position + 1: score[p] = (sum of q[i] k[p][i] over ascending i) * c,
 * c = 1 / sqrt(h); a[p] = exp(score[p] - max) / Z, Z the sum of those powers over ascending p; and the mixed value is
 * the sum of a[p] v[p] over ascending p, each from 0. The output matrix is applied to all heads' mixed values.
 * Source: Vaswani et al. 2017, arXiv 1706.03762.
 */
import { exactNumerics } from '../numerics/numerics.js';
import { blockIndex, eightSums64, LANES } from './eight-sums.js';
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
    this.#scores = new Float64Array(Math.ceil(parts.positions / LANES) * LANES);
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

  /**
   * Writes a[p] for the first `count` positions of the head at coordinate `at`. The scores of the last block's other
   * positions are computed, too, and not looked at.
   */
  #weigh(at: number, count: number, cache: LayerCache): void {
    const scores = this.#scores;
    for (let p = 0; p < count; p += LANES) {
      eightSums64(cache.keys, blockIndex(p, at, cache.width), this.#query, at, this.#size, scores, p);
    }
    let max = -Infinity;
    for (let p = 0; p < count; p++) {
      const score = (scores[p] as number) * this.#scale;
      scores[p] = score;
      if (score > max) max = score;
    }
    const sum = exactNumerics.expSum(scores, count, max, scores);
    for (let p = 0; p < count; p++) scores[p] = (scores[p] as number) / sum;
  }

  /** Writes the head's coordinates of the mixed values. */
  #mix(at: number, count: number, cache: LayerCache): void {
    for (let i = at; i < at + this.#size; i += LANES) {
      eightSums64(cache.values, blockIndex(i, 0, cache.positions), this.#scores, 0, count, this.#mixed, i);
    }
  }
}
