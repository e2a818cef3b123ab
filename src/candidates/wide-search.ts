/**
 * What a filter keeps of a whole vocabulary, handed on as a short list.
 *
 * Each decision is the plain one (`KeptCandidates`), taken from bounds where they decide it: large logits are found
 * through the maxima of the blocks, and only what needs every probability has every exp computed. Where the bounds do not
 * decide, the answer is false, nothing was handed on, and the caller takes the plain way.
 */
import type { Numerics } from '../numerics/numerics.js';
import type { PackedMask } from './bit-mask.js';
import type { KeptCandidates } from './kept-candidates.js';
import { Nucleus, TOO_SHORT } from './nucleus.js';
import { kthLargest } from './select.js';
import { WideCandidates } from './wide-candidates.js';

/** Above it no probability that matters to min-p is subnormal. */
const LEAST_SHARE = 1e-250;
/** More than half a unit in the last place of a float32, as a share; and more than its smallest step. */
const FLOAT32_ROUNDING = 2.4e-7;
const TINY = 1e-44;
const LARGEST_FLOAT32 = 3.4028234663852886e38;
/** Of how many ids one speaks for the others in a guess of the nucleus. */
const STRIDE = 16;
/** How much further down to look, in nats, when a guess falls short. */
const FURTHER = 0.75;

export class WideSearch {
  readonly wide: WideCandidates;
  readonly #numerics: Numerics;
  readonly #ids: Int32Array;
  readonly #logits: Float64Array;
  readonly #edited: Int32Array;
  readonly #blocks: Float32Array;
  readonly #nucleus: Nucleus;

  constructor(length: number, numerics: Numerics) {
    this.wide = new WideCandidates(length, numerics);
    this.#numerics = numerics;
    this.#ids = this.wide.kernel.arrays.ids;
    this.#logits = new Float64Array(length);
    this.#edited = new Int32Array(length);
    this.#blocks = new Float32Array(this.wide.kernel.arrays.blockMax.length);
    this.#nucleus = new Nucleus(this.wide, this.#ids, this.#logits);
  }

  /** Hands a list with the best `count` ids, and maybe more, to `kept`; false where the blocks cannot tell. */
  handBest(count: number, kept: KeptCandidates, divisor = this.wide.divisor): boolean {
    const { blockMax } = this.wide.kernel.arrays;
    if (4 * count > blockMax.length) return false;
    this.#blocks.set(blockMax);
    const reached = kthLargest(this.#blocks, blockMax.length, count); // `count` entries at least are that large
    if (reached === -Infinity) return false;
    this.#hand(this.#find(reached / divisor, divisor), kept, divisor);
    return true;
  }

  /** Hands what is at least `share` times as likely as the best to `kept`; false where that takes the plain way. */
  handLikely(share: number, kept: KeptCandidates): boolean {
    if (share < LEAST_SHARE) return false;
    const max = this.wide.maxLogit();
    const cut = max + this.#numerics.log(share);
    const doubt = 1e-9 + Math.abs(max) * 1e-15; // far above the errors of l - max, exp, division and product
    const count = this.#find(cut - doubt);
    let sure = 0;
    for (let i = 0; i < count; i++) {
      const l = this.#logits[i] as number;
      const id = this.#ids[i] as number;
      if (l > cut + doubt || (l >= cut - doubt && this.#isLikely(id, share))) sure = this.#keep(sure, id, l);
    }
    this.#hand(sure, kept);
    return true;
  }

  /** Hands the nucleus of `p` to `kept`; false where the bounds do not tell where the running sum reaches p. */
  handMass(p: number, kept: KeptCandidates): boolean {
    const goal = p * this.wide.normalizer();
    const least = this.#guess(goal, STRIDE);
    let count = this.#nucleus.cut(this.#find(least), goal);
    if (count === TOO_SHORT) count = this.#nucleus.cut(this.#find(least - FURTHER), goal);
    if (count === TOO_SHORT) count = this.#nucleus.cut(this.#find(this.#guess(goal, 1)), goal);
    if (count <= 0) return false;
    this.#hand(count, kept);
    return true;
  }

  /** A logit down to which the nucleus about reaches, judged by every `stride`-th id. */
  #guess(goal: number, stride: number): number {
    return this.#nucleus.guess(goal, this.#find(this.#nucleus.headFrom), stride);
  }

  /** Hands `id` alone to `kept`. */
  handOne(id: number, kept: KeptCandidates): void {
    this.#hand(this.#keep(0, id, this.wide.logit(id)), kept);
  }

  /** Hands what `words`, which meets K, allows to `kept`. */
  handMask(words: PackedMask, kept: KeptCandidates): void {
    let count = 0;
    for (let word = 0; word < words.length; word++) {
      for (let bits = words[word] as number; bits !== 0; bits &= bits - 1) {
        const id = 32 * word + 31 - Math.clz32(bits & -bits);
        const l = id < this.wide.length ? this.wide.logit(id) : -Infinity;
        if (l > -Infinity) count = this.#keep(count, id, l);
      }
    }
    this.#hand(count, kept);
  }

  /** Hands what has a logit of at least `least`, which is at most the largest, to `kept`. */
  handAtLeast(least: number, kept: KeptCandidates): void {
    this.#hand(this.#find(least), kept);
  }

  #keep(count: number, id: number, l: number): number {
    this.#ids[count] = id;
    this.#logits[count] = l;
    return count + 1;
  }

  #hand(count: number, kept: KeptCandidates, divisor = this.wide.divisor): void {
    kept.take(this.#ids, this.#logits, count, this.wide, divisor);
  }

  /** Whether q of `id` is at least share * max q, by the probabilities themselves. */
  #isLikely(id: number, share: number): boolean {
    const total = this.wide.normalizer();
    return this.wide.expOf(id) / total >= share * (1 / total);
  }

  /** Lists the ids with l >= least, ascending, with their logits; their number. */
  #find(least: number, divisor = this.wide.divisor): number {
    const undivided = least * divisor;
    const threshold = Math.max(undivided - Math.abs(undivided) * FLOAT32_ROUNDING - TINY, -LARGEST_FLOAT32);
    let count = this.wide.kernel.collect(Math.fround(threshold));
    const edited = this.#editsFrom(least, divisor);
    if (edited.length > 0) count = this.#merge(count, edited);
    let listed = 0;
    for (let i = 0; i < count; i++) {
      const id = this.#ids[i] as number;
      const l = this.wide.logit(id, divisor);
      if (l >= least) listed = this.#keep(listed, id, l); // float32 reaches a little further down
    }
    return listed;
  }

  #editsFrom(least: number, divisor: number): Int32Array {
    const { edits } = this.wide;
    let count = 0;
    for (let i = 0; i < edits.count; i++) {
      const l = edits.valueAt(i) / divisor;
      if (l >= least && l > -Infinity) this.#edited[count++] = edits.idAt(i);
    }
    return this.#edited.subarray(0, count).sort();
  }

  /** Merges the ascending `edited` into the ascending first `count` ids; the number of both. */
  #merge(count: number, edited: Int32Array): number {
    const ids = this.#ids;
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
