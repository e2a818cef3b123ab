/**
 * The candidates while they are the whole vocabulary: float32 logits as they came, edits beside them, and a temperature
 * that is remembered rather than applied.
 *
 * A filter finds what it keeps through the blocks' maxima and hands it on as a short list; only what needs every
 * probability computes every exp. Each of the decisions here is the plain one (`KeptCandidates`), taken from bounds where
 * they decide it; where they do not, the answer is `undecided`, and the caller takes the plain way.
 */
import type { Numerics } from '../numerics/numerics.js';
import { BLOCK, BUCKETS, BUCKETS_PER_UNIT, type RowKernel } from '../numerics/row.js';
import { Edits } from './edits.js';
import type { KeptCandidates } from './kept-candidates.js';
import { kthLargest } from './select.js';

/** Temperatures for which no float32 logit over- or underflows, so that distinct logits stay distinct. */
const LEAST_DIVISOR = 1e-100;
const LARGEST_DIVISOR = 1e100;
/** Above it no probability that matters to min-p is subnormal. */
const LEAST_SHARE = 1e-250;
/** 2^-52: two roundings of a sum that is at most 1. */
const DOUBLE_ROUNDING = 2.220446049250313e-16;
const FLOAT32_ROUNDING = 2.4e-7;
const TINY = 1e-44;
const LARGEST_FLOAT32 = 3.4028234663852886e38;

export class WideCandidates {
  readonly length: number;
  readonly #numerics: Numerics;
  readonly #kernel: RowKernel;
  readonly #edits: Edits;
  readonly #found: Int32Array;
  readonly #editScratch: Int32Array;
  readonly #blockScratch: Float32Array;
  #size = 0;
  #divisor = 1;
  /** The largest undivided logit; NaN when out of date. */
  #max = Number.NaN;
  /** The divisor that the exps were computed with; NaN when out of date. */
  #expsDivisor = Number.NaN;
  #total = Number.NaN;

  constructor(length: number, numerics: Numerics) {
    this.length = length;
    this.#numerics = numerics;
    this.#kernel = numerics.rowKernel(length);
    this.#edits = new Edits(length, this.#kernel.arrays);
    this.#found = new Int32Array(length + BLOCK);
    this.#editScratch = new Int32Array(length);
    this.#blockScratch = new Float32Array(this.#kernel.arrays.blockMax.length);
  }

  /** Takes over `logits`, f32[V]; -1 - i where entry i is NaN or +Infinity, else the number of finite ones. */
  load(logits: Float32Array): number {
    this.#edits.clear();
    this.#kernel.arrays.copy.set(logits);
    const masked = this.#kernel.scan();
    if (masked < 0) return masked;
    this.#size = this.length - masked;
    this.#divisor = 1;
    this.#max = Number.NaN;
    this.#expsDivisor = Number.NaN;
    return this.#size;
  }

  get size(): number {
    return this.#size;
  }

  get divisor(): number {
    return this.#divisor;
  }

  /** l of `id` divided by `divisor`. */
  logit(id: number, divisor = this.#divisor): number {
    const edit = this.#edits.find(id);
    const l = edit < 0 ? (this.#kernel.arrays.copy[id] as number) : this.#edits.valueAt(edit);
    return divisor === 1 ? l : l / divisor;
  }

  /** Gives `id`, which is in K, another undivided logit; the divisor must be 1. */
  setLogit(id: number, value: number): void {
    const { copy, blockMax } = this.#kernel.arrays;
    const block = Math.floor(id / BLOCK);
    const shown = copy[id] as number;
    this.#edits.set(id, value);
    copy[id] = -Infinity;
    if (shown === blockMax[block]) blockMax[block] = largest(copy, block * BLOCK, (block + 1) * BLOCK);
    if (value === -Infinity) this.#size--;
    this.#max = Number.NaN;
    this.#expsDivisor = Number.NaN;
  }

  /** The largest l divided by `divisor`. */
  maxLogit(divisor = this.#divisor): number {
    if (Number.isNaN(this.#max)) {
      const { blockMax } = this.#kernel.arrays;
      let max = largest(blockMax, 0, blockMax.length);
      for (let i = 0; i < this.#edits.count; i++) max = Math.max(max, this.#edits.valueAt(i));
      this.#max = max;
    }
    return divisor === 1 ? this.#max : this.#max / divisor;
  }

  /** Divides every logit; false where that cannot be put off. */
  divide(divisor: number): boolean {
    if (this.#divisor !== 1 || divisor < LEAST_DIVISOR || divisor > LARGEST_DIVISOR) return false;
    for (let i = 0; i < this.#edits.count; i++) {
      const value = this.#edits.valueAt(i);
      if (value !== -Infinity && value / divisor === -Infinity) return false;
    }
    this.#divisor = divisor;
    return true;
  }

  /** Z over all ids, the exps up to date, both for `divisor`. */
  normalizer(divisor = this.#divisor): number {
    if (this.#expsDivisor !== divisor) {
      this.#total = this.#kernel.expSum(divisor, this.maxLogit(divisor));
      this.#expsDivisor = divisor;
    }
    return this.#total;
  }

  /** exp(l - max) of `id`, for the divisor that `normalizer` was asked for last. */
  expOf(id: number): number {
    return this.#kernel.arrays.exps[id] as number;
  }

  /** Whether the exps are those for `divisor`. */
  hasExps(divisor: number): boolean {
    return this.#expsDivisor === divisor;
  }

  /** -sum of q ln q in ascending id order, in nats. */
  entropy(): number {
    const total = this.normalizer();
    const { exps } = this.#kernel.arrays;
    let h = 0;
    for (let id = 0; id < this.length; id++) {
      const q = (exps[id] as number) / total;
      if (q > 0) h -= q * this.#numerics.log(q);
    }
    return h;
  }

  /** The first id, in ascending order, where the running sum of q exceeds u; -1 where none does. */
  walk(u: number): number {
    return this.#kernel.walk(this.normalizer(), u);
  }

  /** The id with the largest logit, ties to the lowest id; the divisor must be 1. */
  best(): number {
    const { blockMax, copy } = this.#kernel.arrays;
    const max = this.maxLogit(1);
    const block = blockMax.indexOf(max); // both hold float32, so equality is exact; -1 where an edit is the largest
    let best = block < 0 ? this.length : copy.indexOf(max, block * BLOCK);
    for (let i = 0; i < this.#edits.count; i++) {
      if (this.#edits.valueAt(i) === max && this.#edits.idAt(i) < best) best = this.#edits.idAt(i);
    }
    return best;
  }

  /** Hands a list with the best `count` ids, and maybe more, to `kept`; false where the blocks cannot tell. */
  handBest(count: number, kept: KeptCandidates, divisor = this.#divisor): boolean {
    const { blockMax } = this.#kernel.arrays;
    if (4 * count > blockMax.length) return false;
    this.#blockScratch.set(blockMax);
    const reached = kthLargest(this.#blockScratch, blockMax.length, count);
    if (reached === -Infinity) return false;
    this.#hand(this.#gather(reached / divisor, divisor), kept, divisor);
    return true;
  }

  /** Hands what is at least `share` times as likely as the best to `kept`; false where that takes the plain way. */
  handLikely(share: number, kept: KeptCandidates): boolean {
    if (share < LEAST_SHARE) return false;
    const max = this.maxLogit();
    const cut = max + this.#numerics.log(share);
    const doubt = 1e-9 + Math.abs(max) * 1e-15; // far above the errors of l - max, exp, division and product
    const count = this.#gather(cut - doubt);
    let sure = 0;
    for (let i = 0; i < count; i++) {
      const id = this.#found[i] as number;
      const l = this.logit(id);
      if (l > cut + doubt || (l >= cut - doubt && this.#isLikely(id, share))) this.#found[sure++] = id;
    }
    this.#hand(sure, kept);
    return true;
  }

  /**
   * Hands the nucleus of `p` to `kept`; false where the bounds do not tell where the running sum reaches p.
   *
   * The running sum of the spec adds rounded q in rank order: it lies within V * 2^-53 of the real sum, and so does a sum
   * of the same exps in buckets. Where the real sum is further than both from p * Z, before and after the id that crosses,
   * the order within the buckets before it does not matter.
   */
  handMass(p: number, kept: KeptCandidates): boolean {
    const total = this.normalizer();
    const goal = p * total;
    const doubt = (this.length + BLOCK) * DOUBLE_ROUNDING * total;
    const { bucket, before } = this.#crossingBucket(goal);
    if (bucket === BUCKETS - 1 || before + doubt >= goal) return false;
    const count = this.#gather(this.maxLogit() - (bucket + 1.001) / BUCKETS_PER_UNIT);
    const crossing = this.#crossingIds(count, bucket);
    const last = this.#lastOfNucleus(crossing, before, goal, doubt);
    if (last === undefined) return false;
    this.#hand(this.#keepThrough(count, bucket, last), kept);
    return true;
  }

  /** Hands everything to `kept`. */
  handAll(kept: KeptCandidates, divisor = this.#divisor): void {
    let count = 0;
    for (let id = 0; id < this.length; id++) if (this.logit(id) > -Infinity) this.#found[count++] = id;
    this.#hand(count, kept, divisor);
  }

  /** Hands `id` alone to `kept`. */
  handOne(id: number, kept: KeptCandidates): void {
    this.#found[0] = id;
    this.#hand(1, kept);
  }

  #hand(count: number, kept: KeptCandidates, divisor = this.#divisor): void {
    kept.take(this, this.#found, count, divisor);
  }

  /** Whether q of `id` is at least share * max q, by the probabilities themselves. */
  #isLikely(id: number, share: number): boolean {
    const total = this.normalizer();
    return this.expOf(id) / total >= share * (1 / total);
  }

  /** Finds the ids with l >= least, and maybe some with a little less, ascending; their number. */
  #gather(least: number, divisor = this.#divisor): number {
    const undivided = least * divisor;
    const threshold = Math.max(undivided - Math.abs(undivided) * FLOAT32_ROUNDING - TINY, -LARGEST_FLOAT32);
    const count = this.#kernel.collect(Math.fround(threshold), this.#found);
    const edited = this.#editsFrom(least, divisor);
    return edited.length === 0 ? count : this.#merge(count, edited);
  }

  #editsFrom(least: number, divisor: number): Int32Array {
    let count = 0;
    for (let i = 0; i < this.#edits.count; i++) {
      const id = this.#edits.idAt(i);
      const l = this.logit(id, divisor);
      if (l >= least && l > -Infinity) this.#editScratch[count++] = id;
    }
    return this.#editScratch.subarray(0, count).sort();
  }

  /** Merges the ascending `edited` into the ascending first `count` found; the number of both. */
  #merge(count: number, edited: Int32Array): number {
    const found = this.#found;
    let from = count - 1;
    let to = count + edited.length - 1;
    for (let i = edited.length - 1; i >= 0; i--) {
      const id = edited[i] as number;
      while (from >= 0 && (found[from] as number) > id) found[to--] = found[from--] as number;
      found[to--] = id;
    }
    return count + edited.length;
  }

  /** The bucket of distances in which the sum of the exps reaches `goal`, and the sum of those before it. */
  #crossingBucket(goal: number): { bucket: number; before: number } {
    const { masses } = this.#kernel.arrays;
    this.#kernel.massByDistance(this.#divisor, this.maxLogit());
    for (let i = 0; i < this.#edits.count; i++) {
      const id = this.#edits.idAt(i);
      const bucket = this.#bucketOf(this.logit(id));
      masses[bucket] = (masses[bucket] as number) + this.expOf(id);
    }
    let bucket = 0;
    let before = 0;
    while (bucket < BUCKETS - 1 && before + (masses[bucket] as number) < goal) before += masses[bucket++] as number;
    return { bucket, before };
  }

  #bucketOf(l: number): number {
    return Math.min(Math.floor((this.maxLogit() - l) * BUCKETS_PER_UNIT), BUCKETS - 1);
  }

  /** The found ids of `bucket`, most likely first, ties to the lower id. */
  #crossingIds(count: number, bucket: number): number[] {
    const crossing: { id: number; l: number }[] = [];
    for (let i = 0; i < count; i++) {
      const id = this.#found[i] as number;
      const l = this.logit(id);
      if (this.#bucketOf(l) === bucket) crossing.push({ id, l });
    }
    crossing.sort((a, b) => b.l - a.l || a.id - b.id);
    return crossing.map(({ id }) => id);
  }

  /** The id at which the running sum reaches `goal` beyond doubt. */
  #lastOfNucleus(crossing: readonly number[], before: number, goal: number, doubt: number): number | undefined {
    let sum = before;
    for (const id of crossing) {
      sum += this.expOf(id);
      if (sum + doubt < goal) continue;
      return sum - doubt >= goal ? id : undefined;
    }
    return undefined;
  }

  /** Leaves the found ids of the buckets before `bucket`, and of `bucket` those up to `last` in rank order. */
  #keepThrough(count: number, bucket: number, last: number): number {
    const lastLogit = this.logit(last);
    let sure = 0;
    for (let i = 0; i < count; i++) {
      const id = this.#found[i] as number;
      const l = this.logit(id);
      const at = this.#bucketOf(l);
      if (at < bucket || (at === bucket && (l > lastLogit || (l === lastLogit && id <= last))))
        this.#found[sure++] = id;
    }
    return sure;
  }
}

function largest(values: Float32Array, from: number, to: number): number {
  let max = -Infinity;
  for (let i = from; i < to; i++) if ((values[i] as number) > max) max = values[i] as number;
  return max;
}
