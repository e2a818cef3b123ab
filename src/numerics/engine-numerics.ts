/**
 * Numerics from the engine's own Math.exp and Math.log, for comparison only: their bits differ from engine to engine
 * (V8's exp differs from C's in about one input in ten), so nothing that Lockstep promises holds with them.
 */
import { type Numerics, plainNumerics } from './numerics.js';

export const engineNumerics: Numerics = plainNumerics(
  'engine',
  (x) => Math.exp(x),
  (x) => Math.log(x),
);
