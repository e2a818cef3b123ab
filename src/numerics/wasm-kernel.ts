/**
 * The passes over a vocabulary in WebAssembly with SIMD: the results of the plain ones, a few times as fast.
 *
 * The modules are compiled once, from bytes in the source, so that bundlers, browsers and workers need no extra file. Each
 * kernel has instances and a memory of its own (wasm-memory.ts). Where the engine has relaxed SIMD, a second module takes over
 * the certified passes as soon as it is compiled, between two tokens: its results are the same, as the bounds hold for it too.
 */
import type { WasmModule } from '../kinds.js';
import { BOUNDS } from './certified/below.js';
import { fitsSingles, SINGLE_ERROR, setSingles } from './certified/singles.js';
import { relaxedModule } from './relaxed-module.js';
import { acceptIncoming, type EntropyScale, nothingSaid, type RowArrays, type RowKernel } from './row.js';
import { WASM_HEX } from './wasm-bytes.js';
import { bytesOf } from './wasm-hex.js';
import { type KernelMemory, makeMemory, writeRow } from './wasm-memory.js';

/** The passes that are in both modules. */
interface CertifiedExports {
  sum(divisor: number, max: number): number;
  massesBySingle(): number;
  massesByDouble(divisor: number, max: number): number;
  restBySingle(threshold: number): number;
  entropy(start: number, divisor: number, max: number, logTotal: number, lower: number, upper: number): number;
}

interface Exports extends CertifiedExports {
  scan(): number;
  keepMask(): number;
  collect(threshold: number): number;
  expSum(divisor: number, max: number): number;
  boundList(count: number, max: number): void;
  walk(length: number, total: number, u: number): number;
}

let compiled: WasmModule | undefined;

/** The compiled module. Throws the engine's error where it has no WebAssembly or no SIMD. */
export function compileKernel(): WasmModule {
  compiled ??= new WebAssembly.Module(bytesOf(WASM_HEX));
  return compiled;
}

export class WasmKernel implements RowKernel {
  readonly said = nothingSaid();
  readonly #memory: KernelMemory;
  readonly #exports: Exports;
  readonly #length: number;
  #certified: CertifiedExports;

  /**
   * @param length V. Only where `hasWasmKernel()` (passes.ts): elsewhere its answers are wrong, or there are none.
   * @param relaxed the second module, to use it from the start
   */
  constructor(length: number, relaxed?: WasmModule) {
    this.#length = length;
    this.#memory = makeMemory(length);
    this.#exports = this.#instance(compileKernel()) as Exports;
    this.#certified = relaxed ? (this.#instance(relaxed) as CertifiedExports) : this.#exports;
  }

  get arrays(): RowArrays {
    return this.#memory.arrays;
  }

  scan(): boolean {
    if (this.#certified === this.#exports) this.#takeRelaxed();
    const masked = this.#exports.scan();
    if (masked < 0) return false;
    this.said.masked = masked - (this.arrays.incoming.length - this.#length);
    this.said.largest = this.#memory.said[0] as number;
    return true;
  }

  accept(): void {
    acceptIncoming(this.arrays);
    writeRow(this.#memory);
  }

  keepMask(words: Int32Array | Uint32Array): number {
    this.arrays.ids.set(words); // that there are none behind the last id changes nothing: those entries are -Infinity
    return this.#exports.keepMask();
  }

  collect(threshold: number): number {
    return this.#exports.collect(threshold);
  }

  expSum(divisor: number, max: number): number {
    const sum = this.#exports.expSum(divisor, max);
    this.arrays.before[this.arrays.heads.length] = sum;
    return sum;
  }

  sum(divisor: number, max: number): number {
    return this.#certified.sum(divisor, max);
  }

  estimate(fine: boolean, divisor: number, max: number): boolean {
    const { said } = this;
    if (fine) {
      said.sum = this.#certified.massesByDouble(divisor, max);
      said.unit = 1;
      said.error = BOUNDS.error;
      return true;
    }
    if (!this.#prepareSingles(divisor, max)) return false;
    said.sum = this.#certified.massesBySingle();
    return true;
  }

  collectRest(threshold: number, divisor: number, max: number): number {
    if (!this.#prepareSingles(divisor, max)) return -1;
    const count = this.#certified.restBySingle(threshold);
    this.said.sum = this.#memory.said[1] as number;
    return count;
  }

  boundList(count: number, max: number): void {
    this.#exports.boundList(count, max);
  }

  entropyFrom(block: number, sum: number, divisor: number, max: number, scale: EntropyScale): number {
    const { said } = this.#memory;
    said[0] = sum;
    const { logTotal, lower, upper } = scale;
    const at = this.#certified.entropy(block, divisor, max, logTotal, lower, upper);
    this.said.sum = said[0] as number;
    return at;
  }

  walk(total: number, u: number): number {
    return this.#exports.walk(this.#length, total, u);
  }

  #prepareSingles(divisor: number, max: number): boolean {
    if (!fitsSingles(divisor, max)) return false;
    this.said.unit = setSingles(this.#memory.singles, divisor, max);
    this.said.error = SINGLE_ERROR;
    return true;
  }

  #takeRelaxed(): void {
    const relaxed = relaxedModule();
    if (relaxed !== undefined) this.#certified = this.#instance(relaxed) as CertifiedExports;
  }

  #instance(module: WasmModule): unknown {
    return new WebAssembly.Instance(module, { env: { memory: this.#memory.memory } }).exports;
  }
}
