/**
 * The certified passes with relaxed SIMD: same results, as their proofs hold for one rounding and for two. Compiled with
 * relaxed-multiply-add.ts to src/numerics/relaxed-wasm-bytes.ts; it works in the memory of kernel.ts.
 */
export { entropy, massesByDouble, massesBySingle, restBySingle, sum } from './certified';
