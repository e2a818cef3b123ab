/**
 * The ways that candidates can be held: float64 logits are a list from the start; float32 logits stay a row until somebody
 * needs a list, with plain passes over it or with passes in WebAssembly.
 */
import type { Logits } from '../../src/core.js';
import { exactNumerics, type Numerics, wasmNumerics } from '../../src/numerics/index.js';

export interface World {
  readonly numerics: Numerics;
  /** The logits as this world takes them; float32 rounds them, but never to infinity. */
  logits(values: readonly number[]): Logits;
}

const LARGEST = 3.4028234663852886e38;

function toFloat32(values: readonly number[]): Float32Array {
  return Float32Array.from(values, (x) => (x === -Infinity ? x : Math.max(-LARGEST, Math.min(LARGEST, x))));
}

export const WORLDS: Readonly<Record<string, World>> = {
  'float64 logits': { numerics: exactNumerics, logits: (values) => values },
  'float32 logits, plain passes': { numerics: exactNumerics, logits: toFloat32 },
  'float32 logits, passes in WebAssembly': { numerics: wasmNumerics, logits: toFloat32 },
};
