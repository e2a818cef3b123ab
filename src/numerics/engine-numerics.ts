/**
 * Numerics from the engine's own Math.exp and Math.log, for comparison only: their bits differ from engine to engine
 * (V8's exp differs from C's in about one input in ten), so nothing that Lockstep promises holds with them.
 */
import type { Numerics } from './numerics.js';

export const engineNumerics: Numerics = Object.freeze({
  name: 'engine',
  exp: (x: number) => Math.exp(x),
  log: (x: number) => Math.log(x),
  expSum(logits: Float64Array, count: number, max: number, exps: Float64Array): number {
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const e = Math.exp((logits[i] as number) - max);
      exps[i] = e;
      sum += e;
    }
    return sum;
  },
});
