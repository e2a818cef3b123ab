/**
 * The numerics of those who choose none: exact, with the passes over a vocabulary in WebAssembly where there is one.
 */
import { InvalidValueError } from '../errors.js';
import { exp } from './exp.js';
import { log } from './log.js';
import { type CompleteNumerics, checkNumerics, exactNumerics, type Numerics } from './numerics.js';
import { defaultPasses, hasWasmKernel, type Passes, startRelaxed, wasmFailure } from './passes.js';
import { WasmKernel } from './wasm-kernel.js';

/** The spec's numerics with the WebAssembly passes; same bits as `exactNumerics`. Only where `hasWasmKernel()`. */
export const wasmNumerics: CompleteNumerics = Object.freeze({
  ...exactNumerics,
  name: 'exact, WebAssembly',
  exp,
  log,
  rowKernel: provenKernel,
  passes: 'WebAssembly',
});

function provenKernel(length: number): WasmKernel {
  const reason = wasmFailure();
  if (reason === null) {
    void startRelaxed();
    return new WasmKernel(length);
  }
  throw new InvalidValueError('wasmNumerics', 'rowKernel', 'asked for where the WebAssembly passes are right', reason);
}

/** `wasmNumerics` where the engine runs them and they give the known answers, else `exactNumerics`. */
export function defaultNumerics(): CompleteNumerics {
  return hasWasmKernel() ? wasmNumerics : exactNumerics;
}

/** Which passes `numerics` have, and why where they are the plain ones. */
export function passesOf(numerics: Numerics): Passes {
  checkNumerics('passesOf', 'numerics', numerics);
  if (numerics.passes === undefined) return { passes: 'other' };
  if (numerics.passes === 'WebAssembly' || !hasWasmKernel()) return defaultPasses();
  return { passes: 'plain', reason: `the numerics "${numerics.name}" have them` };
}
