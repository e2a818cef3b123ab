/**
 * The edited logits of a row: the value of each id that a penalty, a bias or a mask changed, found by id in O(1) and
 * linked by block for the kernels. The copy of the row shows -Infinity for them.
 */
import { BLOCK, type RowArrays } from '../numerics/row.js';
import { allows, type PackedMask } from './bit-mask.js';

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

  /** The logit of `id`; -Infinity where it was not edited. */
  valueOf(id: number): number {
    const slot = this.#slots[id] as number;
    return slot === 0 ? -Infinity : this.valueAt(slot - 1);
  }

  /** Sets the value of `id`, for the first time or again. */
  set(id: number, value: number): void {
    const { editIds, editValues, heads, next } = this.#arrays;
    let slot = this.#slots[id] as number;
    if (slot === 0) {
      slot = ++this.#count;
      const block = (id / BLOCK) | 0;
      this.#slots[id] = slot;
      editIds[slot - 1] = id;
      next[slot - 1] = heads[block] as number;
      heads[block] = slot;
    }
    editValues[slot - 1] = value;
  }

  /** The largest value; -Infinity for none. */
  largest(): number {
    let max = -Infinity;
    for (let i = 0; i < this.#count; i++) if (this.valueAt(i) > max) max = this.valueAt(i);
    return max;
  }

  /** The lowest id with this value. */
  firstWith(value: number): number | undefined {
    let first: number | undefined;
    for (let i = 0; i < this.#count; i++) {
      if (this.valueAt(i) === value && !(this.idAt(i) >= (first ?? Infinity))) first = this.idAt(i);
    }
    return first;
  }

  /** Whether no value above -Infinity becomes -Infinity. */
  canDivide(divisor: number): boolean {
    for (let i = 0; i < this.#count; i++) {
      const value = this.valueAt(i);
      if (value !== -Infinity && value / divisor === -Infinity) return false;
    }
    return true;
  }

  /** Sets those of K that `words` does not allow to -Infinity; how many they are. */
  keepMask(words: PackedMask): number {
    let removed = 0;
    for (let i = 0; i < this.#count; i++) {
      if (allows(words, this.idAt(i)) || this.valueAt(i) === -Infinity) continue;
      this.#arrays.editValues[i] = -Infinity;
      removed++;
    }
    return removed;
  }

  clear(): void {
    const { heads } = this.#arrays;
    for (let i = 0; i < this.#count; i++) {
      const id = this.idAt(i);
      this.#slots[id] = 0;
      heads[(id / BLOCK) | 0] = 0;
    }
    this.#count = 0;
  }
}
