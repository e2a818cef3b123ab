/**
 * Numerics from the engine's own Math.exp, Math.log, Math.pow and Math.log2, for comparison only: their bits differ from engine to engine
 * (V8's exp differs from C's in about one input in ten), so nothing that Lockstep promises holds with them.
 */
import { type CompleteNumerics, plainNumerics } from './numerics.js';

export const engineNumerics: CompleteNumerics = plainNumerics(
  'engine',
  (x) => Math.exp(x),
  (x) => Math.log(x),
  { pow: (x, y) => x ** y, log2: (x) => Math.log2(x) },
);
