/**
 * Logits that a step wants to set, all of them accepted before any of them is set.
 */
import { allows } from './bit-mask.js';

export class PendingEdits {
  ids = new Int32Array(0);
  values = new Float64Array(0);
  count = 0;
  /** How many ids are to be removed. */
  removed = 0;
  /** A bit for each id that is here. */
  #known = new Int32Array(0);

  /** Starts anew, for ids below `vocabSize`. */
  clear(vocabSize: number): void {
    for (let i = 0; i < this.count; i++) this.#known[(this.ids[i] as number) >> 5] = 0;
    this.count = 0;
    this.removed = 0;
    if (this.#known.length * 32 < vocabSize) this.#known = new Int32Array((vocabSize >> 5) + 1);
  }

  /** Of an id that is added again, the last value stays; it is not added again after -Infinity. */
  add(id: number, value: number): void {
    if (this.count === this.ids.length) this.#grow();
    const word = id >> 5;
    this.#known[word] = (this.#known[word] as number) | (1 << (id & 31));
    this.ids[this.count] = id;
    this.values[this.count++] = value;
    if (value === -Infinity) this.removed++;
  }

  has(id: number): boolean {
    return allows(this.#known, id);
  }

  /** The last value of an id that is here. */
  valueOf(id: number): number {
    return this.values[this.ids.subarray(0, this.count).lastIndexOf(id)] as number;
  }

  #grow(): void {
    const [ids, values] = [this.ids, this.values];
    this.ids = new Int32Array(2 * ids.length + 64);
    this.values = new Float64Array(2 * ids.length + 64);
    this.ids.set(ids);
    this.values.set(values);
  }
}
