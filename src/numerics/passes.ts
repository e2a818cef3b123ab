/**
 * Which passes over a vocabulary run in this thread, and why: those in WebAssembly where they give the known answers, else
 * the plain ones. Found out once, when it is first asked. See docs/EXACT-MATH.md, "The compiled kernel".
 */
import { type Answer, knownAnswers } from './known-answers.js';
import { compileRelaxed, relaxedModule } from './relaxed-module.js';
import type { RowKernelFactory } from './row.js';
import { compileKernel, WasmKernel } from './wasm-kernel.js';

/** The passes of some numerics, as reports show them. */
export type Passes =
  | { readonly passes: 'WebAssembly'; readonly relaxedSimd?: true }
  /** `reason` says why not those in WebAssembly. */
  | { readonly passes: 'plain'; readonly reason: string }
  /** Numerics of the user's own, with a kernel of their own. */
  | { readonly passes: 'other' };

let failure: string | null | undefined;

/** Why the WebAssembly passes do not run here; null where they do. */
export function wasmFailure(): string | null {
  if (failure === undefined) failure = findFailure();
  return failure;
}

/** Whether this engine runs the WebAssembly passes, and they give the known answers. */
export function hasWasmKernel(): boolean {
  return wasmFailure() === null;
}

/** The passes of `defaultNumerics()`. */
export function defaultPasses(): Passes {
  const reason = wasmFailure();
  if (reason !== null) return { passes: 'plain', reason };
  return { passes: 'WebAssembly', ...(relaxedModule() && { relaxedSimd: true }) };
}

/**
 * The passes of `defaultNumerics()` once those that are compiled beside the work are there: for benchmarks and reports, as
 * nothing waits for them and no result depends on them.
 */
export async function ready(): Promise<Passes> {
  if (hasWasmKernel()) await startRelaxed();
  return defaultPasses();
}

/** Has the passes with relaxed SIMD compiled, where the engine has it. Only where `hasWasmKernel()`. */
export function startRelaxed(): Promise<boolean> {
  return compileRelaxed((module) => disproof((length) => new WasmKernel(length, module)) === null);
}

function findFailure(): string | null {
  if (typeof WebAssembly === 'undefined') return 'there is no WebAssembly here';
  try {
    compileKernel();
  } catch (error) {
    return `the WebAssembly passes, which need SIMD, do not compile here: ${error}`;
  }
  return disproof((length) => new WasmKernel(length));
}

/** The first known answer that the kernels of `make` do not give, as a sentence; null where they give all. */
export function disproof(make: RowKernelFactory): string | null {
  let last = 'their start';
  try {
    for (const answer of knownAnswers(make)) {
      if (!Object.is(answer.got, answer.expected)) return wrong(answer);
      last = answer.what;
    }
    return null;
  } catch (error) {
    return `the WebAssembly passes failed after ${last}: ${error}`;
  }
}

function wrong({ what, expected, got }: Answer): string {
  return `the WebAssembly passes gave ${signed(got)} for ${what}, not ${signed(expected)}`;
}

function signed(x: number): string {
  return Object.is(x, -0) ? '-0' : String(x);
}
