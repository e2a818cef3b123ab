/**
 * `lockstep/numerics`: the exact functions, and what values are computed with.
 */
export { exp, fma, log, log2, pow, sqrt } from './checked.js';
export { defaultNumerics, passesOf, wasmNumerics } from './default-numerics.js';
export { engineNumerics } from './engine-numerics.js';
export { type CompleteNumerics, exactNumerics, type Numerics, plainNumerics } from './numerics.js';
export { defaultPasses, type Passes, ready } from './passes.js';
export type { RowArrays, RowKernel } from './row.js';
