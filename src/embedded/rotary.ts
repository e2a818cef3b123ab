/**
 * Rotary position embedding: turns pairs of a head's coordinates by angles that grow with the position.
 *
 * The pairs are (i, i + h/2) for i in [0, h/2), h the length of a head: a, b become a cos - b sin, b cos + a sin.
 * The cosines and sines are read from tables, since engines differ in theirs.
 * Source: Su et al. 2021, arXiv 2104.09864; the pairs are those of Hugging Face's Llama.
 */
export class Rotary {
  readonly #cos: Float32Array;
  readonly #sin: Float32Array;
  readonly #half: number;

  /** `cos` and `sin` are f32[positions, half], which are kept. */
  constructor(cos: Float32Array, sin: Float32Array, half: number) {
    this.#cos = cos;
    this.#sin = sin;
    this.#half = half;
  }

  /** Turns every head of `heads`, f64[n * 2 * half], in place. */
  turn(heads: Float64Array, position: number): void {
    const half = this.#half;
    const row = position * half;
    for (let at = 0; at < heads.length; at += 2 * half) {
      for (let i = 0; i < half; i++) {
        const a = heads[at + i] as number;
        const b = heads[at + half + i] as number;
        const cos = this.#cos[row + i] as number;
        const sin = this.#sin[row + i] as number;
        heads[at + i] = a * cos - b * sin;
        heads[at + half + i] = b * cos + a * sin;
      }
    }
  }
}
