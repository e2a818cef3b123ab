/**
 * The edited logits of a row: the value of each id that a penalty, a bias or a mask changed, linked by block, of which each has
 * 64 at most. The copy of the row shows -Infinity for them.
 */
import type { RowArrays } from './row.js';

export class Edits {
  readonly #arrays: RowArrays;
  #count = 0;

  constructor(arrays: RowArrays) {
    this.#arrays = arrays;
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
    const edit = this.#find(id);
    return edit === 0 ? -Infinity : this.valueAt(edit - 1);
  }

  /** Sets the value of `id`, which was not edited. */
  add(id: number, value: number): void {
    const { editIds, editValues, heads, next } = this.#arrays;
    const block = id >> 6;
    const index = this.#count++;
    editIds[index] = id;
    editValues[index] = value;
    next[index] = heads[block] as number;
    heads[block] = index + 1;
  }

  /** Sets the value of `id`, which was edited. */
  change(id: number, value: number): void {
    this.#arrays.editValues[this.#find(id) - 1] = value;
  }

  /** 1 + the index of the edit of `id`, 0 for none. */
  #find(id: number): number {
    const { editIds, heads, next } = this.#arrays;
    let edit = heads[id >> 6] as number;
    while (edit !== 0 && editIds[edit - 1] !== id) edit = next[edit - 1] as number;
    return edit;
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
    let least = 0;
    for (let i = 0; i < this.#count; i++) {
      const value = this.valueAt(i);
      if (value < least && value > -Infinity) least = value;
    }
    return least / divisor > -Infinity;
  }

  /** Sets those of K that `words` does not allow to -Infinity; how many they are. */
  keepMask(words: Int32Array | Uint32Array): number {
    let removed = 0;
    for (let i = 0; i < this.#count; i++) {
      const id = this.idAt(i);
      const isAllowed = (((words[id >> 5] as number) >>> (id & 31)) & 1) === 1;
      if (isAllowed || this.valueAt(i) === -Infinity) continue;
      this.#arrays.editValues[i] = -Infinity;
      removed++;
    }
    return removed;
  }

  clear(): void {
    const { heads } = this.#arrays;
    for (let i = 0; i < this.#count; i++) heads[this.idAt(i) >> 6] = 0;
    this.#count = 0;
  }
}
