/**
 * The gated feed-forward step (SwiGLU): y = Down (silu(Gate x) * (Up x)), silu(g) = g / (1 + exp(-g)).
 *
 * Source: Shazeer 2020, arXiv 2002.05202.
 */
import { exp } from '../numerics/exp.js';
import type { Linear } from './linear.js';

export class FeedForward {
  readonly #gate: Linear;
  readonly #up: Linear;
  readonly #down: Linear;
  readonly #gated: Float64Array;
  readonly #raised: Float64Array;

  constructor(gate: Linear, up: Linear, down: Linear) {
    this.#gate = gate;
    this.#up = up;
    this.#down = down;
    this.#gated = new Float64Array(gate.rows);
    this.#raised = new Float64Array(up.rows);
  }

  /** Writes the output for the input `x` to `out`. */
  apply(x: Float64Array, out: Float64Array): void {
    const gated = this.#gated;
    const raised = this.#raised;
    this.#gate.apply(x, gated);
    this.#up.apply(x, raised);
    for (let i = 0; i < gated.length; i++) {
      const g = gated[i] as number;
      gated[i] = (g / (1 + exp(-g))) * (raised[i] as number);
    }
    this.#down.apply(gated, out);
  }
}
