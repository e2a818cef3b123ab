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
/** Ids in a row that a guess from a part of the ids looks at: neighbours are cheap to read. */
const RUN = 8;
/** Such a guess goes some buckets further to be safe. */
const SPARE_BUCKETS = 14;
/** 2^-52: two roundings of a sum that is at most 1. */
const TWO_ROUNDINGS = 2.220446049250313e-16;

/** The buckets that a guess fills exactly: few ids, and much of the mass. */
const HEAD_BUCKETS = 6 * FINENESS;
/** Answers of `cut`: the list does not reach far enough; the bounds do not decide. */
export const TOO_SHORT = -1;
export const UNDECIDED = 0;

export class Nucleus {
  readonly #wide: WideCandidates;
  readonly #ids: Int32Array;
  readonly #logits: Float64Array;
  readonly #sums = new Float64Array(BUCKETS);
  /** The bucket of each id of the list. */
  readonly #buckets: Int16Array;
  readonly #sorter = new LogitSorter();
  #crossing = new Int32Array(BLOCK);

  /** @param ids a list of ids, ascending, that `cut` works on, and `logits` their logits */
  constructor(wide: WideCandidates, ids: Int32Array, logits: Float64Array) {
    this.#wide = wide;
    this.#ids = ids;
    this.#logits = logits;
    this.#buckets = new Int16Array(ids.length);
  }

  /**
   * A logit that about reaches down to the exps that sum up to `goal`: the `headCount` ids of the list, which are all near
   * the largest, count as they are, of the others every `stride`-th run of 8 stands for those around it. With a stride of 1
   * it does reach, but for edits.
   */
  guess(goal: number, headCount: number, stride: number): number {
    const { length } = this.#wide;
    this.#fillBuckets(headCount);
    for (let id = 0; id < length; id += RUN * stride) this.#addRun(id, Math.min(id + RUN, length), stride);
    const { bucket } = this.#bucketWhere(goal);
    return this.#wide.maxLogit() - (bucket + (stride === 1 ? 1.001 : SPARE_BUCKETS)) / FINENESS;
  }

  /** Puts the exps of the ids from..to-1, but for those near the largest, into their buckets `times` times. */
  #addRun(from: number, to: number, times: number): void {
    const { kernel, divisor } = this.#wide;
    const { copy, exps } = kernel.arrays;
    const sums = this.#sums;
    const max = this.#wide.maxLogit();
    for (let id = from; id < to; id++) {
      const bucket = bucketOf(max - (copy[id] as number) / divisor);
      if (bucket >= HEAD_BUCKETS) sums[bucket] = (sums[bucket] as number) + (exps[id] as number) * times;
    }
  }

  /** A logit above which all ids are in the first buckets, those that `guess` counts one by one. */
  get headFrom(): number {
    return this.#wide.maxLogit() - HEAD_BUCKETS / FINENESS;
  }

  /** Leaves the nucleus of the first `count` of the list, and says how many that are, or why there is no answer. */
  cut(count: number, goal: number): number {
    const sum = this.#fillBuckets(count);
    const doubt = (this.#wide.length + BLOCK) * TWO_ROUNDINGS * this.#wide.normalizer();
    if (sum - doubt < goal) return TOO_SHORT;
    const { bucket, before } = this.#bucketWhere(goal);
    if (before + doubt >= goal) return UNDECIDED;
    const last = this.#lastInside(this.#orderBucket(count, bucket), before, goal, doubt);
    return last < 0 ? UNDECIDED : this.#keepThrough(count, bucket, last);
  }

  /** Sorts the first `count` of the list into buckets; the sum of their exps. */
  #fillBuckets(count: number): number {
    const { exps } = this.#wide.kernel.arrays;
    const ids = this.#ids;
    const logits = this.#logits;
    const buckets = this.#buckets;
    const sums = this.#sums.fill(0);
    const max = this.#wide.maxLogit();
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const bucket = bucketOf(max - (logits[i] as number));
      const e = exps[ids[i] as number] as number;
      buckets[i] = bucket;
      sums[bucket] = (sums[bucket] as number) + e;
      sum += e;
    }
    return sum;
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
      if (this.#buckets[i] !== bucket) continue;
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
      const at = this.#buckets[i] as number;
      if (at > bucket || (at === bucket && (l < lastLogit || (l === lastLogit && i > last)))) continue;
      this.#ids[kept] = this.#ids[i] as number;
      this.#logits[kept++] = l;
    }
    return kept;
  }
}

/** The bucket of a logit so far, in nats, below the largest. */
function bucketOf(distance: number): number {
  return distance < (BUCKETS - 1) / FINENESS ? Math.floor(distance * FINENESS) : BUCKETS - 1;
}
