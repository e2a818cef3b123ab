/**
 * Top-p over a whole vocabulary without ordering it.
 *
 * The ids are put into buckets by their distance from the largest logit. The sums of the buckets tell in which one the
 * running sum reaches p, and only that bucket is ordered. The running sum of the spec adds rounded q in rank order: it
 * lies within V * 2^-53 of the real sum, and so does, times Z, a sum of the same exps in any other order. Where the real
 * sum is further than both from p * Z before and after the id that crosses, the order before it does not matter; where it
 * is not, there is no answer, and the caller takes the plain way.
 */
import { BLOCK } from '../numerics/row.js';
import { LogitSorter } from './radix-sort.js';
import type { WideCandidates } from './wide-candidates.js';

/** Buckets a unit of distance, in nats. */
const FINENESS = 32;
/** The last bucket holds everything from there on. */
const BUCKETS = 1024;
/** 2^-52: two roundings of a sum that is at most 1. */
const TWO_ROUNDINGS = 2.220446049250313e-16;

export class Nucleus {
  readonly #wide: WideCandidates;
  readonly #ids: Int32Array;
  readonly #logits: Float64Array;
  readonly #sums = new Float64Array(BUCKETS);
  readonly #sorter = new LogitSorter();
  #crossing = new Int32Array(BLOCK);

  /** @param ids a list of ids, ascending, that `cut` works on, and `logits` their logits */
  constructor(wide: WideCandidates, ids: Int32Array, logits: Float64Array) {
    this.#wide = wide;
    this.#ids = ids;
    this.#logits = logits;
  }

  /** A logit that about reaches down to the exps that sum up to `goal`, judged by a few ids of each block. */
  guess(goal: number): number {
    const { length } = this.#wide;
    const stride = length > 64 * BLOCK ? BLOCK / 4 : 1;
    this.#sums.fill(0);
    for (let id = 0; id < length; id += stride) this.#add(this.#wide.logit(id), this.#wide.expOf(id) * stride);
    const bucket = this.#bucketWhere(goal).bucket;
    return this.#wide.maxLogit() - (bucket + (stride === 1 ? 1.001 : 4)) / FINENESS;
  }

  /** Leaves the nucleus of the first `count` of the list, which reach further; the number left, 0 where undecided. */
  cut(count: number, goal: number): number {
    this.#sums.fill(0);
    for (let i = 0; i < count; i++) this.#add(this.#logits[i] as number, this.#wide.expOf(this.#ids[i] as number));
    const { bucket, before } = this.#bucketWhere(goal);
    const doubt = (this.#wide.length + BLOCK) * TWO_ROUNDINGS * this.#wide.normalizer();
    if (bucket === BUCKETS - 1 || before + doubt >= goal) return 0;
    const last = this.#lastInside(this.#orderBucket(count, bucket), before, goal, doubt);
    return last < 0 ? 0 : this.#keepThrough(count, bucket, last);
  }

  #add(l: number, e: number): void {
    const bucket = this.#bucketOf(l);
    this.#sums[bucket] = (this.#sums[bucket] as number) + e;
  }

  #bucketOf(l: number): number {
    const distance = (this.#wide.maxLogit() - l) * FINENESS;
    return distance < BUCKETS - 1 ? Math.floor(distance) : BUCKETS - 1;
  }

  /** The bucket in which the running sum reaches `goal`, the last one where it does not, and the sum before it. */
  #bucketWhere(goal: number): { bucket: number; before: number } {
    let bucket = 0;
    let before = 0;
    while (bucket < BUCKETS - 1 && before + (this.#sums[bucket] as number) < goal) {
      before += this.#sums[bucket++] as number;
    }
    return { bucket, before };
  }

  /** The indices in the list of the ids of `bucket`, in rank order. */
  #orderBucket(count: number, bucket: number): Int32Array {
    let size = 0;
    for (let i = 0; i < count; i++) {
      if (this.#bucketOf(this.#logits[i] as number) !== bucket) continue;
      if (size === this.#crossing.length) this.#grow();
      this.#crossing[size++] = i;
    }
    this.#sorter.sort(this.#crossing, size, this.#logits);
    return this.#crossing.subarray(0, size);
  }

  #grow(): void {
    const grown = new Int32Array(2 * this.#crossing.length);
    grown.set(this.#crossing);
    this.#crossing = grown;
  }

  /** The index of the id at which the running sum reaches `goal` beyond doubt, or -1. */
  #lastInside(ordered: Int32Array, before: number, goal: number, doubt: number): number {
    let sum = before;
    for (const index of ordered) {
      sum += this.#wide.expOf(this.#ids[index] as number);
      if (sum + doubt < goal) continue;
      return sum - doubt >= goal ? index : -1;
    }
    return -1;
  }

  /** Leaves the ids of the buckets before `bucket`, and of `bucket` those up to index `last` in rank order. */
  #keepThrough(count: number, bucket: number, last: number): number {
    const lastLogit = this.#logits[last] as number;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const l = this.#logits[i] as number;
      const at = this.#bucketOf(l);
      if (at > bucket || (at === bucket && (l < lastLogit || (l === lastLogit && i > last)))) continue;
      this.#ids[kept] = this.#ids[i] as number;
      this.#logits[kept++] = l;
    }
    return kept;
  }
}
