/**
 * The second module of the passes, with relaxed SIMD: compiled beside the work where the engine has it, and never waited for.
 */
import type { WasmModule } from '../kinds.js';
import { RELAXED_WASM_HEX } from './relaxed-wasm-bytes.js';
import { bytesOf } from './wasm-hex.js';

let proven: WasmModule | undefined;
let work: Promise<boolean> | undefined;

/** The module, once it was compiled and gave the known answers. */
export function relaxedModule(): WasmModule | undefined {
  return proven;
}

/** Whether the module came to serve: compiles it where that was not begun. `isRight` tries it. */
export function compileRelaxed(isRight: (module: WasmModule) => boolean): Promise<boolean> {
  work ??= compile(isRight).catch(() => false); // a page may forbid it: the first module serves
  return work;
}

async function compile(isRight: (module: WasmModule) => boolean): Promise<boolean> {
  const bytes = bytesOf(RELAXED_WASM_HEX);
  if (!WebAssembly.validate(bytes)) return false;
  const module = await WebAssembly.compile(bytes);
  if (!isRight(module)) return false;
  proven = module;
  return true;
}
