/**
 * The forward pass put together from a file's weights, whose names are those of Hugging Face's Llama.
 */
import { InvalidValueError } from '../errors.js';
import { Attention } from './attention.js';
import { DecoderLayer } from './decoder-layer.js';
import { FeedForward } from './feed-forward.js';
import { Linear } from './linear.js';
import type { ModelConfig } from './model-config.js';
import { RmsNorm } from './rms-norm.js';
import { Rotary } from './rotary.js';
import type { Safetensors } from './safetensors.js';
import { Transformer } from './transformer.js';

/**
 * Throws InvalidValueError for a tensor that is missing or whose shape is not what `config` says, and for one that the
 * pass has no use for, such as a bias: it would belong to another model.
 */
export function buildTransformer(config: ModelConfig, weights: Safetensors): Transformer {
  const builder = new TransformerBuilder(config, weights);
  const transformer = builder.transformer();
  const unused = weights.names.find((name) => !builder.used.has(name));
  if (unused === undefined) return transformer;
  throw new InvalidValueError(
    'EmbeddedModel',
    unused,
    'absent from the weights',
    `shape [${weights.shape(unused).join(', ')}]`,
  );
}

class TransformerBuilder {
  /** The tensors read so far. */
  readonly used = new Set<string>();
  readonly #config: ModelConfig;
  readonly #weights: Safetensors;

  constructor(config: ModelConfig, weights: Safetensors) {
    this.#config = config;
    this.#weights = weights;
  }

  transformer(): Transformer {
    const { vocab_size, hidden_size, num_hidden_layers } = this.#config;
    const embedding = this.#linear('model.embed_tokens', vocab_size, hidden_size);
    const rotary = this.#rotary();
    const layers = Array.from({ length: num_hidden_layers }, (_, i) => this.#layer(`model.layers.${i}`, rotary));
    return new Transformer(this.#config, { embedding, layers, norm: this.#norm('model.norm') });
  }

  #layer(name: string, rotary: Rotary): DecoderLayer {
    const parts = {
      attentionNorm: this.#norm(`${name}.input_layernorm`),
      attention: this.#attention(`${name}.self_attn`, rotary),
      feedForwardNorm: this.#norm(`${name}.post_attention_layernorm`),
      feedForward: this.#feedForward(`${name}.mlp`),
    };
    return new DecoderLayer(parts, this.#config.hidden_size);
  }

  #attention(name: string, rotary: Rotary): Attention {
    const { hidden_size, num_attention_heads: heads, head_dim, n_ctx: positions } = this.#config;
    const width = heads * head_dim;
    return new Attention({
      query: this.#linear(`${name}.q_proj`, width, hidden_size),
      key: this.#linear(`${name}.k_proj`, width, hidden_size),
      value: this.#linear(`${name}.v_proj`, width, hidden_size),
      output: this.#linear(`${name}.o_proj`, hidden_size, width),
      rotary,
      heads,
      positions,
    });
  }

  #feedForward(name: string): FeedForward {
    const { hidden_size, intermediate_size } = this.#config;
    return new FeedForward(
      this.#linear(`${name}.gate_proj`, intermediate_size, hidden_size),
      this.#linear(`${name}.up_proj`, intermediate_size, hidden_size),
      this.#linear(`${name}.down_proj`, hidden_size, intermediate_size),
    );
  }

  #rotary(): Rotary {
    const { n_ctx, head_dim } = this.#config;
    const shape = [n_ctx, head_dim / 2];
    return new Rotary(this.#floats('rotary.cos', shape), this.#floats('rotary.sin', shape), head_dim / 2);
  }

  #norm(name: string): RmsNorm {
    const { hidden_size, rms_norm_eps } = this.#config;
    return new RmsNorm(this.#floats(`${name}.weight`, [hidden_size]), rms_norm_eps);
  }

  #linear(name: string, rows: number, columns: number): Linear {
    const tensor = `${name}.weight`;
    return new Linear(this.#floats(tensor, [rows, columns]), rows, columns, tensor);
  }

  #floats(name: string, shape: readonly number[]): Float32Array {
    this.used.add(name);
    return this.#weights.floats(name, shape);
  }
}
