/**
 * A model of the embedded one's kind that is small enough for thousands of passes: random weights, not trained.
 */
import { EmbeddedModel } from '../../src/embedded/embedded-model.js';
import { Safetensors } from '../../src/embedded/safetensors.js';
import { Pcg32 } from '../../src/random/pcg32.js';
import { f32, type RawTensor, safetensorsFile } from './safetensors-file.js';

/** No size is another one's, so that one taken for another shows. */
export const TINY = {
  model_type: 'llama',
  vocab_size: 40,
  hidden_size: 16,
  num_hidden_layers: 2,
  num_attention_heads: 3,
  head_dim: 8,
  intermediate_size: 32,
  rms_norm_eps: 1e-5,
  n_ctx: 21,
  tie_word_embeddings: true,
  begin_id: 0,
  end_ids: [1],
};

/** The shape of every tensor of a model with this config. */
export function tensorShapes(config: typeof TINY): Record<string, number[]> {
  const { vocab_size: V, hidden_size: d, num_attention_heads: heads, head_dim, intermediate_size: m, n_ctx } = config;
  const width = heads * head_dim;
  const shapes: Record<string, number[]> = {
    'rotary.cos': [n_ctx, head_dim / 2],
    'rotary.sin': [n_ctx, head_dim / 2],
    'model.embed_tokens.weight': [V, d],
    'model.norm.weight': [d],
  };
  for (let i = 0; i < config.num_hidden_layers; i++) {
    const layer = `model.layers.${i}`;
    shapes[`${layer}.input_layernorm.weight`] = [d];
    shapes[`${layer}.post_attention_layernorm.weight`] = [d];
    for (const part of ['q', 'k', 'v']) shapes[`${layer}.self_attn.${part}_proj.weight`] = [width, d];
    shapes[`${layer}.self_attn.o_proj.weight`] = [d, width];
    for (const part of ['gate', 'up']) shapes[`${layer}.mlp.${part}_proj.weight`] = [m, d];
    shapes[`${layer}.mlp.down_proj.weight`] = [d, m];
  }
  return shapes;
}

/** Random tensors, uniform on [-1, 1). */
export function tinyTensors(seed = 1): Record<string, RawTensor> {
  const random = new Pcg32(seed, 54n);
  return Object.fromEntries(
    Object.entries(tensorShapes(TINY)).map(([name, shape]) => {
      const length = shape.reduce((product, n) => product * n, 1);
      return [
        name,
        f32(
          shape,
          Float64Array.from({ length }, () => 2 * random.uniform() - 1),
        ),
      ];
    }),
  );
}

export function tinyWeights(seed = 1): Safetensors {
  return new Safetensors(safetensorsFile(tinyTensors(seed)));
}

export function tinyModel(seed = 1): EmbeddedModel {
  return new EmbeddedModel(TINY, tinyWeights(seed));
}
