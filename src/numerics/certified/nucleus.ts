/**
 * The nucleus of a row, where approximate masses decide it, without ordering the row.
 *
 * A list of the large ids, and the mass of all others: the ids are put into buckets by their distance from the largest logit,
 * the sums of the buckets tell in which one the running sum reaches p, and only that bucket is ordered.
 *
 * The spec adds RN(e / Z) in rank order: its running sum is that of the exact exps over their real total within a share of
 * (2 V + 4) u, u = 2^-53. Ours, S, is a sum of v (below.ts) in another order, over a total z of such and of `rest`, the mass of
 * the ids that are not on the list: S / z is off by what the v leave open, 2^-50; by what our own sums round, (2 V + 2 blocks +
 * 256) u; and by the error of `rest`, which counts with its share of z alone. Where S is further than all of that from p z,
 * before and behind the id that crosses, the spec crosses at the same one.
 */
import { blocksOf, type RowKernel } from '../row.js';
import { BOUNDS } from './below.js';
import { ROUNDING, TINY } from './draw.js';

/** Buckets a nat. */
const FINENESS = 128;
/** The last bucket holds everything from there on. */
const BUCKETS = 2048;
const DEEPEST = (BUCKETS - 1) / FINENESS;

/** What `cut` found. */
export type Cut =
  /** The last of the nucleus in rank order, by its index in the list. */
  | number
  /** The list does not reach far enough down. */
  | 'short'
  /** The bounds do not tell. */
  | 'undecided';

/** The ids that are not on the list. */
export interface Rest {
  /** Z, where it is known. */
  readonly total: number | undefined;
  /** Else the mass of them, in units of the largest exp. */
  readonly mass: number;
  /** How far that may be from the true one, as a share. */
  readonly error: number;
  /** No logit of them is this large. */
  readonly below: number;
}

/** Sorts indices by their logits, descending, ties to the lower index. */
export interface IndexSorter {
  sort(indices: Int32Array, count: number, logits: Float64Array): void;
}

export class NucleusCut {
  readonly #kernel: RowKernel;
  readonly #logits: Float64Array;
  readonly #masses: Float64Array;
  readonly #sorter: IndexSorter;
  readonly #buckets: Int16Array;
  readonly #sums = new Float64Array(BUCKETS);
  readonly #crossing: Int32Array;
  readonly #roundings: number;

  /** @param kernel which has the list, by ascending id @param length V */
  constructor(kernel: RowKernel, length: number, sorter: IndexSorter) {
    const { listLogits, listMasses } = kernel.arrays;
    this.#kernel = kernel;
    this.#logits = listLogits;
    this.#masses = listMasses;
    this.#sorter = sorter;
    this.#buckets = new Int16Array(listLogits.length);
    this.#crossing = new Int32Array(listLogits.length);
    this.#roundings = (4 * length + 2 * blocksOf(length) + 256) * ROUNDING;
  }

  /** Where the running sum of the first `count` of the list reaches p, `max` being the largest logit of the row. */
  cut(count: number, max: number, p: number, rest: Rest): Cut {
    const sum = this.#fillBuckets(count, max);
    const total = rest.total ?? sum + rest.mass;
    const share = rest.error * (rest.mass / total) + BOUNDS.error + this.#roundings;
    const goal = p * total;
    if (sum * (1 - share) <= goal) return 'short';
    let bucket = 0;
    let before = 0;
    while (bucket < BUCKETS - 1 && before + (this.#sums[bucket] as number) < goal) {
      before += this.#sums[bucket++] as number;
    }
    const last = this.#lastInside(this.#order(count, bucket), before, goal, share, total * TINY);
    if (last === undefined) return 'undecided';
    return (this.#logits[last] as number) < rest.below ? 'short' : last;
  }

  /** Puts the first `count` of the list into buckets; the sum of their masses. */
  #fillBuckets(count: number, max: number): number {
    this.#kernel.boundList(count, max);
    const logits = this.#logits;
    const masses = this.#masses;
    const buckets = this.#buckets;
    const sums = this.#sums.fill(0);
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const depth = max - (logits[i] as number);
      const bucket = depth < DEEPEST ? (depth * FINENESS) | 0 : BUCKETS - 1;
      const mass = masses[i] as number;
      buckets[i] = bucket;
      sums[bucket] = (sums[bucket] as number) + mass;
      sum += mass;
    }
    return sum;
  }

  /** Puts the indices in `bucket` in rank order; how many they are. */
  #order(count: number, bucket: number): number {
    const crossing = this.#crossing;
    const buckets = this.#buckets;
    let size = 0;
    for (let i = 0; i < count; i++) if (buckets[i] === bucket) crossing[size++] = i;
    this.#sorter.sort(crossing, size, this.#logits);
    return size;
  }

  /** The index at which the running sum reaches `goal` beyond doubt. */
  #lastInside(size: number, before: number, goal: number, share: number, tiny: number): number | undefined {
    let sum = before;
    for (let i = 0; i < size; i++) {
      const index = this.#crossing[i] as number;
      const next = sum + (this.#masses[index] as number);
      if (next * (1 + share) + tiny >= goal) {
        const isBefore = sum === 0 || sum * (1 + share) + tiny < goal;
        return isBefore && next * (1 - share) - tiny >= goal ? index : undefined;
      }
      sum = next;
    }
    return undefined;
  }
}
