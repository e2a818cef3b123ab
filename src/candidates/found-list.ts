/**
 * Ids that were found in a row, ascending, with their logits: what a filter keeps of it, until a list takes them over.
 */
import type { RowArrays } from '../numerics/row.js';
import type { RowCandidates } from './row-candidates.js';

export class FoundList {
  readonly ids: Int32Array;
  readonly logits: Float64Array;
  /** About exp(l - max) of each, as certified/below.ts says, where `hasMasses`. */
  readonly masses: Float64Array;
  hasMasses = false;
  count = 0;
  readonly #edited: Int32Array;

  /** @param arrays of a kernel, which the list lies in */
  constructor({ ids, listLogits, listMasses }: RowArrays) {
    this.ids = ids;
    this.logits = listLogits;
    this.masses = listMasses;
    this.#edited = new Int32Array(ids.length);
  }

  /** Starts anew with nothing. */
  clear(): this {
    this.count = 0;
    this.hasMasses = false;
    return this;
  }

  /** Appends an id above those before it, in place of one that the kernel wrote further on. */
  add(id: number, logit: number): void {
    this.ids[this.count] = id;
    this.logits[this.count++] = logit;
  }

  /** Starts with the first `count` ids that lie here already and the edits of `row`, each with a logit of at least `least`. */
  fill(row: RowCandidates, count: number, least: number, divisor: number): this {
    const all = row.edits.count === 0 ? count : this.#merge(count, this.#editsFrom(row, least, divisor));
    const { ids, logits } = this;
    const { copy } = row.kernel.arrays;
    let kept = 0;
    for (let i = 0; i < all; i++) {
      const id = ids[i] as number;
      const shown = copy[id] as number;
      const whole = shown > -Infinity ? shown : row.edits.valueOf(id);
      const l = divisor === 1 ? whole : whole / divisor;
      ids[kept] = id;
      logits[kept] = l;
      if (l >= least) kept++;
    }
    this.count = kept;
    this.hasMasses = false;
    return this;
  }

  /** Leaves what ranks no lower than the entry at `last`, by logits descending, ties to the lower id; it has masses. */
  keepThrough(last: number): this {
    const { ids, logits, masses, count } = this;
    const end = logits[last] as number;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const l = logits[i] as number;
      ids[kept] = ids[i] as number;
      logits[kept] = l;
      masses[kept] = masses[i] as number;
      if (l > end || (l === end && i <= last)) kept++;
    }
    this.count = kept;
    this.hasMasses = true;
    return this;
  }

  /** The ids of the edits with l >= least, ascending. */
  #editsFrom({ edits }: RowCandidates, least: number, divisor: number): Int32Array {
    let count = 0;
    for (let i = 0; i < edits.count; i++) {
      const l = edits.valueAt(i) / divisor;
      if (l >= least && l > -Infinity) this.#edited[count++] = edits.idAt(i);
    }
    return this.#edited.subarray(0, count).sort();
  }

  /** Merges the ascending `edited` into the ascending first `count` ids; the number of both. */
  #merge(count: number, edited: Int32Array): number {
    const { ids } = this;
    let from = count - 1;
    let to = count + edited.length - 1;
    for (let i = edited.length - 1; i >= 0; i--) {
      const id = edited[i] as number;
      while (from >= 0 && (ids[from] as number) > id) ids[to--] = ids[from--] as number;
      ids[to--] = id;
    }
    return count + edited.length;
  }
}
