/**
 * The numerics of those who choose none: exact, with the passes over a vocabulary in WebAssembly where there is one.
 */
import { exp } from './exp.js';
import { log } from './log.js';
import { exactNumerics, type Numerics } from './numerics.js';
import { hasWasmKernel, WasmKernel } from './wasm-kernel.js';

/** The spec's numerics with the WebAssembly passes; same bits as `exactNumerics`. Only where `hasWasmKernel()`. */
export const wasmNumerics: Numerics = Object.freeze({
  ...exactNumerics,
  name: 'exact, WebAssembly',
  exp,
  log,
  rowKernel: (length: number) => new WasmKernel(length),
});

/** `wasmNumerics` where the engine runs them, else `exactNumerics`. */
export function defaultNumerics(): Numerics {
  return hasWasmKernel() ? wasmNumerics : exactNumerics;
}
