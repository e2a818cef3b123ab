/**
 * Gives the indexes of an array by what it holds, the lowest first: for the few lowest of many, which no sort of all needs.
 */
export class LowestFirst {
  readonly #keys: Float64Array;
  /** A heap: no parent comes after its children. */
  readonly #heap: Int32Array;
  #size: number;

  /** @param keys no NaN @param heap of the same length, to be written to */
  constructor(keys: Float64Array, heap: Int32Array) {
    this.#keys = keys;
    this.#heap = heap;
    this.#size = keys.length;
    for (let i = 0; i < heap.length; i++) heap[i] = i;
    for (let place = heap.length >> 1; place-- > 0; ) this.#sink(place);
  }

  /** The index with the lowest key that was not given yet, of equal ones the lower index; one must be left. */
  next(): number {
    const heap = this.#heap;
    const first = heap[0] as number;
    this.#size--;
    heap[0] = heap[this.#size] as number;
    this.#sink(0);
    return first;
  }

  #sink(from: number): void {
    const heap = this.#heap;
    const index = heap[from] as number;
    let place = from;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= this.#size) break;
      if (child + 1 < this.#size && this.#isBefore(heap[child + 1] as number, heap[child] as number)) child++;
      if (!this.#isBefore(heap[child] as number, index)) break;
      heap[place] = heap[child] as number;
      place = child;
    }
    heap[place] = index;
  }

  #isBefore(a: number, b: number): boolean {
    const ka = this.#keys[a] as number;
    const kb = this.#keys[b] as number;
    return ka < kb || (ka === kb && a < b);
  }
}
