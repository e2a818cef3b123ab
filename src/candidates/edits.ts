/**
 * The edited logits of a row: the value of each id that a penalty, a bias or a mask changed, found by id in O(1) and
 * linked by block for the kernels.
 */
import { BLOCK, type RowArrays } from '../numerics/row.js';

export class Edits {
  readonly #arrays: RowArrays;
  /** 1 + the index of each id's edit, 0 for none. */
  readonly #slots: Int32Array;
  #count = 0;

  constructor(length: number, arrays: RowArrays) {
    this.#arrays = arrays;
    this.#slots = new Int32Array(length);
  }

  get count(): number {
    return this.#count;
  }

  idAt(index: number): number {
    return this.#arrays.editIds[index] as number;
  }

  valueAt(index: number): number {
    return this.#arrays.editValues[index] as number;
  }

  /** The index of the edit of `id`, or -1. */
  find(id: number): number {
    return (this.#slots[id] as number) - 1;
  }

  /** Sets the value of `id`, for the first time or again. */
  set(id: number, value: number): void {
    const { editIds, editValues, heads, next } = this.#arrays;
    let slot = this.#slots[id] as number;
    if (slot === 0) {
      slot = ++this.#count;
      const block = Math.floor(id / BLOCK);
      this.#slots[id] = slot;
      editIds[slot - 1] = id;
      next[slot - 1] = heads[block] as number;
      heads[block] = slot;
    }
    editValues[slot - 1] = value;
  }

  clear(): void {
    const { heads } = this.#arrays;
    for (let i = 0; i < this.#count; i++) {
      const id = this.idAt(i);
      this.#slots[id] = 0;
      heads[Math.floor(id / BLOCK)] = 0;
    }
    this.#count = 0;
  }
}
