/**
 * The order (logit descending, position ascending), computed only as far as it was asked for.
 *
 * The best few come from one pass over the logits with a rising threshold; only when the whole order is wanted is all of
 * it sorted, in linear time. So an order asked to depth n costs O(size) at most four times, whatever n.
 */
import { LogitSorter } from './logit-sorter.js';

const FIRST = 64;
const SECOND = 2048;

export class RankOrder {
  readonly #sorter = new LogitSorter();
  #positions = new Int32Array(0);
  #marks = new Uint8Array(0);
  #known = 0;

  /** How many ranks are known. */
  get known(): number {
    return this.#known;
  }

  /** The position at `rank`, below `known`. */
  at(rank: number): number {
    return this.#positions[rank] as number;
  }

  forget(): void {
    this.#known = 0;
  }

  /**
   * Makes at least the first `count` ranks of logits[0..length-1] known.
   * `size` is the number of entries above -Infinity; the others have no rank. `count` is at most `size`.
   */
  extend(count: number, logits: Float64Array, length: number, size: number): void {
    if (count <= this.#known) return;
    if (this.#positions.length < length) this.#positions = new Int32Array(length);
    const depth = this.#nextDepth(count);
    if (4 * depth >= size) this.#sortAll(logits, length);
    else this.#select(depth, logits, length);
  }

  /** Writes the first `count` positions of ranks, all of which are below `length`, to `to` in ascending order. */
  ascending(count: number, to: Int32Array, length: number): void {
    const positions = this.#positions;
    if (count * 32 < length) {
      for (let rank = 0; rank < count; rank++) to[rank] = positions[rank] as number;
      to.subarray(0, count).sort();
      return;
    }
    if (this.#marks.length < length) this.#marks = new Uint8Array(length);
    const marks = this.#marks.fill(0, 0, length);
    for (let rank = 0; rank < count; rank++) marks[positions[rank] as number] = 1;
    for (let p = 0, next = 0; p < length; p++) if (marks[p] === 1) to[next++] = p;
  }

  /**
   * Follows a filter: `places[p]` is the new position of p, valid where `kept[places[p]] === p`. The known ranks that
   * stay are still the first ones.
   */
  filter(kept: Int32Array, keptCount: number, places: Int32Array): void {
    const positions = this.#positions;
    let known = 0;
    for (let rank = 0; rank < this.#known; rank++) {
      const position = positions[rank] as number;
      const place = places[position] as number;
      if (place < keptCount && kept[place] === position) positions[known++] = place;
    }
    this.#known = known;
  }

  /** A first request is met as it is; a walk that goes on gets one more selection, then the whole order. */
  #nextDepth(count: number): number {
    if (this.#known === 0) return Math.max(count, FIRST);
    return count <= SECOND && this.#known < SECOND ? SECOND : Number.POSITIVE_INFINITY;
  }

  #sortAll(logits: Float64Array, length: number): void {
    const positions = this.#positions;
    let count = 0;
    for (let p = 0; p < length; p++) {
      if ((logits[p] as number) > -Infinity) positions[count++] = p;
    }
    this.#sorter.sort(positions, count, logits);
    this.#known = count;
  }

  /**
   * One pass: a buffer of 2 * depth candidates, cut back to the best `depth` when full. Whatever ties with the worst of
   * these and comes later has a higher position and ranks behind it, so `>` is enough to let a candidate in.
   */
  #select(depth: number, logits: Float64Array, length: number): void {
    const positions = this.#positions;
    const room = 2 * depth;
    let threshold = -Infinity;
    let count = 0;
    for (let p = 0; p < length; p++) {
      if (!((logits[p] as number) > threshold)) continue;
      positions[count++] = p;
      if (count < room) continue;
      threshold = this.#cut(depth, room, logits);
      count = depth;
    }
    this.#sorter.sort(positions, count, logits);
    this.#known = Math.min(count, depth);
  }

  /** Sorts the buffer, leaves the best `depth` in it in ascending position, and gives the worst one's logit. */
  #cut(depth: number, count: number, logits: Float64Array): number {
    const positions = this.#positions;
    this.#sorter.sort(positions, count, logits);
    const threshold = logits[positions[depth - 1] as number] as number;
    positions.subarray(0, depth).sort();
    return threshold;
  }
}
