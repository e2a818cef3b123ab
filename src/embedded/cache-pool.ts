/**
 * The caches of sequences: those of closed sessions are used again, as a beam search closes and copies sessions with every
 * token. What a cache held before is never looked at: a sequence reads the positions that it wrote.
 */
import type { LayerCache } from './layer-cache.js';

/** What one sequence writes to: a cache a layer. */
export type Caches = readonly LayerCache[];

/** Kept at most: as many as eight beams let go of at once. */
const MOST = 8;

export class CachePool {
  readonly #make: () => Caches;
  readonly #free: Caches[] = [];

  constructor(make: () => Caches) {
    this.#make = make;
  }

  /** Room for one sequence, which may hold anything. */
  take(): Caches {
    return this.#free.pop() ?? this.#make();
  }

  /** Takes back a buffer that is no longer read or written. */
  giveBack(caches: Caches): void {
    if (this.#free.length < MOST) this.#free.push(caches);
  }

  /** Room for one sequence that holds the first `count` positions of `caches`. */
  copy(caches: Caches, count: number): Caches {
    const copies = this.take();
    for (const [layer, copy] of copies.entries()) copy.copyFrom(caches[layer] as LayerCache, count);
    return copies;
  }
}
