/**
 * The passes over a vocabulary in WebAssembly with SIMD: the bits of the plain ones, a few times as fast.
 *
 * The module is compiled once, from bytes in the source, so that bundlers, browsers and workers need no extra file. Each
 * kernel has an instance and a memory of its own: the table of the exp, then the arrays.
 */
import type { WasmModule } from '../kinds.js';
import { EXP_HEADS, EXP_TAILS } from './exp-table.js';
import { BLOCK, type RowArrays, type RowKernel } from './row.js';
import { WASM_HEX } from './wasm-bytes.js';

interface Exports {
  readonly memory: WebAssembly.Memory;
  scan(copy: number, blockMax: number, blocks: number): number;
  keepMask(copy: number, blockMax: number, blocks: number, words: number): number;
  collect(copy: number, blockMax: number, blocks: number, threshold: number, ids: number): number;
  expSum(
    copy: number,
    length: number,
    divisor: number,
    max: number,
    exps: number,
    heads: number,
    next: number,
    editIds: number,
    editValues: number,
  ): number;
  walk(exps: number, length: number, total: number, u: number): number;
}

const PAGE = 65536;
const TABLE_BYTES = 128 * 16;

let compiled: WasmModule | undefined;

/** The compiled module. Throws the engine's error where it has no WebAssembly or no SIMD. */
export function compileKernel(): WasmModule {
  compiled ??= new WebAssembly.Module(kernelBytes());
  return compiled;
}

function kernelBytes(): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: WASM_HEX.length / 2 }, (_, i) =>
    Number.parseInt(WASM_HEX.slice(2 * i, 2 * i + 2), 16),
  );
}

export class WasmKernel implements RowKernel {
  readonly arrays: RowArrays;
  readonly #exports: Exports;
  readonly #length: number;
  readonly #blocks: number;

  /** @param length V. Only where `hasWasmKernel()` (passes.ts): elsewhere its answers are wrong, or there are none. */
  constructor(length: number) {
    const instance = new WebAssembly.Instance(compileKernel());
    this.#exports = instance.exports as unknown as Exports;
    this.#length = length;
    this.#blocks = Math.ceil(length / BLOCK);
    this.arrays = this.#allocate();
    const table = new Float64Array(this.#exports.memory.buffer, 0, 256);
    for (let k = 0; k < 128; k++) {
      table[2 * k] = EXP_TAILS[k] as number;
      table[2 * k + 1] = EXP_HEADS[k] as number;
    }
  }

  scan(): number {
    const { incoming, incomingMax } = this.arrays;
    const masked = this.#exports.scan(incoming.byteOffset, incomingMax.byteOffset, this.#blocks);
    return masked < 0 ? masked : masked - (incoming.length - this.#length);
  }

  keepMask(words: Int32Array | Uint32Array): number {
    const { copy, blockMax, ids } = this.arrays;
    ids.set(words); // that there are none behind the last id changes nothing: those entries are -Infinity
    return this.#exports.keepMask(copy.byteOffset, blockMax.byteOffset, this.#blocks, ids.byteOffset);
  }

  collect(threshold: number): number {
    const { copy, blockMax, ids } = this.arrays;
    return this.#exports.collect(copy.byteOffset, blockMax.byteOffset, this.#blocks, threshold, ids.byteOffset);
  }

  expSum(divisor: number, max: number): number {
    const { copy, exps, heads, next, editIds, editValues } = this.arrays;
    return this.#exports.expSum(
      copy.byteOffset,
      this.#length,
      divisor,
      max,
      exps.byteOffset,
      heads.byteOffset,
      next.byteOffset,
      editIds.byteOffset,
      editValues.byteOffset,
    );
  }

  walk(total: number, u: number): number {
    return this.#exports.walk(this.arrays.exps.byteOffset, this.#length, total, u);
  }

  /** Lays the arrays out behind the table, each on a multiple of 64 bytes. */
  #allocate(): RowArrays {
    const padded = this.#blocks * BLOCK;
    const { memory } = this.#exports;
    const starts: number[] = [];
    let end = TABLE_BYTES;
    const blocks = this.#blocks;
    // in the order of the arrays below; in elements of 4 bytes
    for (const elements of [padded, padded, blocks, blocks, 2 * padded, blocks, padded, padded, 2 * padded, padded]) {
      starts.push(end);
      end += Math.ceil(elements / 16) * 64;
    }
    memory.grow(Math.ceil(end / PAGE) - memory.buffer.byteLength / PAGE);
    const { buffer } = memory;
    const at = (index: number) => starts[index] as number;
    return {
      incoming: new Float32Array(buffer, at(0), padded).fill(-Infinity),
      copy: new Float32Array(buffer, at(1), padded).fill(-Infinity),
      blockMax: new Float32Array(buffer, at(2), this.#blocks),
      incomingMax: new Float32Array(buffer, at(3), this.#blocks),
      exps: new Float64Array(buffer, at(4), this.#length),
      heads: new Int32Array(buffer, at(5), this.#blocks),
      next: new Int32Array(buffer, at(6), this.#length),
      editIds: new Int32Array(buffer, at(7), this.#length),
      editValues: new Float64Array(buffer, at(8), this.#length),
      ids: new Int32Array(buffer, at(9), padded),
    };
  }
}
