/**
 * The forward pass of the embedded model, one position at a time.
 *
 * Float64 throughout, with + - * / sqrt and the package's own exp alone, every sum in the order that its file states:
 * the logits are the same bits in every engine. The weights are the file's numbers, exactly. The vectors in between are
 * allocated once and shared by all sequences, whose own state is their caches.
 */
import { CachePool } from './cache-pool.js';
import type { DecoderLayer } from './decoder-layer.js';
import { LayerCache } from './layer-cache.js';
import type { Linear } from './linear.js';
import type { ModelConfig } from './model-config.js';
import type { RmsNorm } from './rms-norm.js';

export interface TransformerParts {
  /** W, [V, d]: a row a token on the way in, a logit a row on the way out. */
  readonly embedding: Linear;
  readonly layers: readonly DecoderLayer[];
  readonly norm: RmsNorm;
}

export class Transformer {
  readonly #parts: TransformerParts;
  /** The vector of the position under way. */
  readonly #x: Float64Array;
  readonly #normed: Float64Array;
  readonly #logits: Float64Array;
  /** Room for sequences. */
  readonly pool: CachePool;

  constructor(config: ModelConfig, parts: TransformerParts) {
    this.#parts = parts;
    this.#x = new Float64Array(config.hidden_size);
    this.#normed = new Float64Array(config.hidden_size);
    this.#logits = new Float64Array(config.vocab_size);
    const { num_attention_heads, head_dim, n_ctx } = config;
    const cache = () => new LayerCache(n_ctx, num_attention_heads * head_dim);
    this.pool = new CachePool(() => parts.layers.map(cache));
  }

  /** Takes `id` at `position` through the layers; `caches` hold the positions before it. */
  advance(id: number, position: number, caches: readonly LayerCache[]): void {
    const { embedding, layers } = this.#parts;
    embedding.row(id, this.#x);
    for (let i = 0; i < layers.length; i++) {
      (layers[i] as DecoderLayer).apply(this.#x, position, caches[i] as LayerCache);
    }
  }

  /** Writes the logits after the position advanced last to `out`, f32[V]: rounded once, to nearest. */
  logits(out: Float32Array): void {
    this.#parts.norm.apply(this.#x, this.#normed);
    this.#parts.embedding.apply(this.#normed, this.#logits);
    out.set(this.#logits);
  }
}
