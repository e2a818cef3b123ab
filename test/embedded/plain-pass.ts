/**
 * The forward pass written once more, as plain as it can be: no cache, no blocks, every sum a loop of its own. It states
 * the order of the operations that the model promises; the two are compared bit for bit.
 */
import type { Safetensors } from '../../src/embedded/safetensors.js';
import { exp } from '../../src/numerics/exp.js';
import type { TINY } from '../support/tiny-model.js';

type Vector = readonly number[];

/** The logits after the last of `ids`, not yet rounded to float32. */
export function plainLogits(config: typeof TINY, weights: Safetensors, ids: readonly number[]): number[] {
  const pass = new PlainPass(config, weights);
  let xs: Vector[] = ids.map((id) => pass.row('model.embed_tokens', id));
  for (let i = 0; i < config.num_hidden_layers; i++) xs = pass.layer(`model.layers.${i}`, xs);
  return pass.times('model.embed_tokens', pass.norm('model.norm', xs.at(-1) as Vector));
}

function dot(a: Vector, b: Vector): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

function added(a: Vector, b: Vector): number[] {
  return a.map((x, i) => x + (b[i] as number));
}

class PlainPass {
  /** The tensors read so far, by name: their rows, one for a vector. */
  readonly #rows = new Map<string, Vector[]>();

  constructor(
    private readonly config: typeof TINY,
    private readonly weights: Safetensors,
  ) {}

  layer(name: string, xs: readonly Vector[]): Vector[] {
    const normed = xs.map((x) => this.norm(`${name}.input_layernorm`, x));
    const mixed = this.attention(`${name}.self_attn`, normed);
    return xs.map((x, p) => {
      const y = added(x, mixed[p] as Vector);
      return added(y, this.feedForward(`${name}.mlp`, this.norm(`${name}.post_attention_layernorm`, y)));
    });
  }

  attention(name: string, xs: readonly Vector[]): Vector[] {
    const turned = (part: string) => xs.map((x, p) => this.turn(this.times(`${name}.${part}_proj`, x), p));
    const [queries, keys] = [turned('q'), turned('k')];
    const values = xs.map((x) => this.times(`${name}.v_proj`, x));
    return xs.map((_, p) => {
      const mixed = Array.from({ length: this.config.num_attention_heads }, (_, head) =>
        this.head(head, queries[p] as Vector, keys.slice(0, p + 1), values.slice(0, p + 1)),
      );
      return this.times(`${name}.o_proj`, mixed.flat());
    });
  }

  head(head: number, query: Vector, keys: readonly Vector[], values: readonly Vector[]): number[] {
    const size = this.config.head_dim;
    const part = (vector: Vector) => vector.slice(head * size, (head + 1) * size);
    const scores = keys.map((key) => dot(part(query), part(key)) * (1 / Math.sqrt(size)));
    const powers = scores.map((score) => exp(score - Math.max(...scores)));
    const total = powers.reduce((sum, power) => sum + power, 0);
    const shares = powers.map((power) => power / total);
    const parts = values.map(part);
    return Array.from({ length: size }, (_, i) =>
      dot(
        shares,
        parts.map((value) => value[i] as number),
      ),
    );
  }

  feedForward(name: string, x: Vector): number[] {
    const up = this.times(`${name}.up_proj`, x);
    const gated = this.times(`${name}.gate_proj`, x).map((g, i) => (g / (1 + exp(-g))) * (up[i] as number));
    return this.times(`${name}.down_proj`, gated);
  }

  turn(heads: Vector, position: number): number[] {
    const half = this.config.head_dim / 2;
    return heads.map((x, i) => {
      const place = i % (2 * half);
      const cos = this.rows('rotary.cos')[position]?.[place % half] as number;
      const sin = this.rows('rotary.sin')[position]?.[place % half] as number;
      return place < half ? x * cos - (heads[i + half] as number) * sin : x * cos + (heads[i - half] as number) * sin;
    });
  }

  norm(name: string, x: Vector): number[] {
    const [weight] = this.rows(`${name}.weight`) as [Vector];
    const scale = 1 / Math.sqrt(dot(x, x) / x.length + this.config.rms_norm_eps);
    return x.map((value, i) => value * scale * (weight[i] as number));
  }

  times(name: string, x: Vector): number[] {
    return this.rows(`${name}.weight`).map((row) => dot(row, x));
  }

  row(name: string, i: number): Vector {
    return this.rows(`${name}.weight`)[i] as Vector;
  }

  rows(tensor: string): Vector[] {
    const known = this.#rows.get(tensor);
    if (known !== undefined) return known;
    const columns = this.weights.shape(tensor).at(-1) as number;
    const values = [...this.weights.floats(tensor)];
    const count = values.length / columns;
    const rows = Array.from({ length: count }, (_, i) => values.slice(i * columns, (i + 1) * columns));
    this.#rows.set(tensor, rows);
    return rows;
  }
}
