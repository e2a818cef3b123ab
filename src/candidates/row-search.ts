/**
 * Finds what a filter keeps of a row.
 *
 * Each decision is the plain one (`ListCandidates`), taken from bounds where they decide it. Where they do not, there is no
 * answer, and the caller makes a list of the whole row. What was found is overwritten by the next search.
 */
import { guessDepth } from '../numerics/certified/guess-depth.js';
import { NucleusCut, type Rest } from '../numerics/certified/nucleus.js';
import { hasExactExp, type Numerics } from '../numerics/numerics.js';
import { kthLargest } from '../ranking/kth-largest.js';
import { LogitSorter } from '../ranking/logit-sorter.js';
import type { PackedMask } from './bit-mask.js';
import { FoundList } from './found-list.js';
import type { RowCandidates } from './row-candidates.js';

/** Above it no probability that matters to min-p is subnormal. */
const LEAST_SHARE = 1e-250;
/** More than half a unit in the last place of a float32, as a share; and more than its smallest step. */
const FLOAT32_ROUNDING = 2.4e-7;
const TINY = 1e-44;
const LARGEST_FLOAT32 = 3.4028234663852886e38;
/** How much further down to look, in nats, when a guess of the nucleus falls short. */
const FURTHER = 1.5;
const TRIES = 3;

export class RowSearch {
  readonly row: RowCandidates;
  readonly #numerics: Numerics;
  readonly #found: FoundList;
  readonly #blocks: Float32Array;
  #nucleus: NucleusCut | undefined;

  constructor(row: RowCandidates, numerics: Numerics) {
    this.row = row;
    this.#numerics = numerics;
    this.#found = new FoundList(row.kernel.arrays);
    this.#blocks = new Float32Array(row.kernel.arrays.blockMax.length);
  }

  /** The best `count`, and maybe more; undefined where the blocks cannot tell. */
  best(count: number, divisor = this.row.divisor): FoundList | undefined {
    const { blockMax } = this.row.kernel.arrays;
    if (4 * count > blockMax.length) return undefined;
    this.#blocks.set(blockMax);
    const reached = kthLargest(this.#blocks, blockMax.length, count); // `count` entries at least are that large
    return reached === -Infinity ? undefined : this.atLeast(reached / divisor, divisor);
  }

  /** What is at least `share` times as likely as the best; undefined for shares that the plain way has to judge. */
  likely(share: number): FoundList | undefined {
    if (share < LEAST_SHARE) return undefined;
    const max = this.row.maxLogit();
    const cut = max + this.#numerics.log(share);
    const doubt = 1e-9 + Math.abs(max) * 1e-15; // far above the errors of l - max, exp, division and product
    const found = this.atLeast(cut - doubt);
    const { count, ids, logits } = found;
    found.count = 0;
    for (let i = 0; i < count; i++) {
      const id = ids[i] as number;
      const l = logits[i] as number;
      if (l > cut + doubt || this.#isLikely(id, share)) found.add(id, l);
    }
    return found;
  }

  /** The fewest of the best whose running sum of q reaches p; undefined where the bounds do not tell. */
  nucleus(p: number): FoundList | undefined {
    const row = this.row;
    if (!hasExactExp(this.#numerics)) return undefined;
    let least = row.maxLogit() - guessDepth(row.kernel, row.length, row.divisor, row.maxLogit(), p);
    for (let tries = 0; tries < TRIES; ) {
      const rest = this.#headAndRest(least);
      const cut = this.#cutter().cut(this.#found.count, row.maxLogit(), p, rest);
      if (cut === 'undecided') {
        if (rest.total !== undefined) return undefined;
        row.normalizer(); // with the exact total the bounds are far closer: the same depth once more
      } else if (cut !== 'short') return this.#found.keepThrough(cut);
      else {
        least -= FURTHER;
        tries++;
      }
    }
    return undefined;
  }

  /** `id` alone. */
  only(id: number): FoundList {
    const found = this.#found.clear();
    found.add(id, this.row.logit(id));
    return found;
  }

  /** What `words`, which meets K, allows. */
  allowed(words: PackedMask): FoundList {
    const found = this.#found.clear();
    for (let word = 0; word < words.length; word++) {
      for (let bits = words[word] as number; bits !== 0; bits &= bits - 1) {
        const id = 32 * word + 31 - Math.clz32(bits & -bits);
        const l = id < this.row.length ? this.row.logit(id) : -Infinity;
        if (l > -Infinity) found.add(id, l);
      }
    }
    return found;
  }

  /** What has a logit of at least `least`, which is at most the largest. */
  atLeast(least: number, divisor = this.row.divisor): FoundList {
    const count = this.row.kernel.collect(thresholdFor(least, divisor));
    return this.#found.fill(this.row, count, least, divisor); // float32 reaches a little further down
  }

  /** Whether q of `id` is at least share * max q, by the probabilities themselves. */
  #isLikely(id: number, share: number): boolean {
    const total = this.row.normalizer();
    return this.row.expOf(id) / total >= share * (1 / total);
  }

  /** Finds the ids down to about `least` and all edits, and says what is left. */
  #headAndRest(least: number): Rest {
    const row = this.row;
    const { kernel, divisor } = row;
    const threshold = thresholdFor(least, divisor);
    const total = row.hasNormalizer() ? row.normalizer() : undefined;
    const count =
      total === undefined ? kernel.collectRest(threshold, divisor, row.maxLogit()) : kernel.collect(threshold);
    if (count < 0) {
      row.normalizer();
      return this.#headAndRest(least);
    }
    const { sum, unit, error } = kernel.said;
    this.#found.fill(row, count, -LARGEST_FLOAT32, divisor);
    const below = threshold / divisor;
    return total === undefined ? { total, mass: sum / unit, error, below } : { total, mass: 0, error: 0, below };
  }

  #cutter(): NucleusCut {
    this.#nucleus ??= new NucleusCut(this.row.kernel, this.row.length, new LogitSorter());
    return this.#nucleus;
  }
}

/** A float32 that every undivided float32 logit reaches whose quotient is at least `least`. */
function thresholdFor(least: number, divisor: number): number {
  const undivided = least * divisor;
  return Math.fround(Math.max(undivided - Math.abs(undivided) * FLOAT32_ROUNDING - TINY, -LARGEST_FLOAT32));
}
