/**
 * Root-mean-square normalisation: y[i] = (x[i] * s) * w[i] with s = 1 / sqrt(mean of x^2 + eps).
 *
 * The mean is the sum of x[i] * x[i] over ascending i, divided by their number.
 * Source: Zhang and Sennrich 2019, arXiv 1910.07467.
 */
export class RmsNorm {
  readonly #weight: Float32Array;
  readonly #eps: number;

  /** `weight` is w, f32[n], which is kept; `eps` >= 0. */
  constructor(weight: Float32Array, eps: number) {
    this.#weight = weight;
    this.#eps = eps;
  }

  /** Writes the normalised `x`, f64[n], to `out`, f64[n]. */
  apply(x: Float64Array, out: Float64Array): void {
    const weight = this.#weight;
    const n = weight.length;
    let sum = 0;
    for (let i = 0; i < n; i++) sum += (x[i] as number) * (x[i] as number);
    const scale = 1 / Math.sqrt(sum / n + this.#eps);
    for (let i = 0; i < n; i++) out[i] = (x[i] as number) * scale * (weight[i] as number);
  }
}
