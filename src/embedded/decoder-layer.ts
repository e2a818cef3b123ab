/**
 * One layer of the decoder: x + attention(norm(x)), then x + feedForward(norm(x)).
 */
import type { Attention } from './attention.js';
import type { FeedForward } from './feed-forward.js';
import type { LayerCache } from './layer-cache.js';
import type { RmsNorm } from './rms-norm.js';

export interface DecoderLayerParts {
  readonly attentionNorm: RmsNorm;
  readonly attention: Attention;
  readonly feedForwardNorm: RmsNorm;
  readonly feedForward: FeedForward;
}

export class DecoderLayer {
  readonly #parts: DecoderLayerParts;
  readonly #normed: Float64Array;
  readonly #change: Float64Array;

  /** `size` is the length of a position's vector. */
  constructor(parts: DecoderLayerParts, size: number) {
    this.#parts = parts;
    this.#normed = new Float64Array(size);
    this.#change = new Float64Array(size);
  }

  /** Takes the vector `x` of `position` through the layer, in place; the position enters `cache`. */
  apply(x: Float64Array, position: number, cache: LayerCache): void {
    const { attentionNorm, attention, feedForwardNorm, feedForward } = this.#parts;
    attentionNorm.apply(x, this.#normed);
    attention.apply(this.#normed, position, cache, this.#change);
    add(x, this.#change);
    feedForwardNorm.apply(x, this.#normed);
    feedForward.apply(this.#normed, this.#change);
    add(x, this.#change);
  }
}

function add(x: Float64Array, change: Float64Array): void {
  for (let i = 0; i < x.length; i++) x[i] = (x[i] as number) + (change[i] as number);
}
