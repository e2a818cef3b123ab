/**
 * What a CandidateSet is, in the plainest way: one array of logits, -Infinity outside K, and everything computed anew
 * each time it is asked for.
 */
import { exp } from '../../src/numerics/exp.js';
import { log } from '../../src/numerics/log.js';

export class PlainCandidates {
  logits: number[];

  constructor(logits: ArrayLike<number>) {
    this.logits = Array.from(logits);
  }

  /** K, ascending. */
  get ids(): number[] {
    return [...this.logits.keys()].filter((id) => (this.logits[id] as number) > -Infinity);
  }

  /** K by (l descending, id ascending). */
  get ranked(): number[] {
    return this.ids.sort((a, b) => {
      const [la, lb] = [this.logits[a] as number, this.logits[b] as number];
      if (la === lb) return a - b;
      return lb > la ? 1 : -1;
    });
  }

  get max(): number {
    return this.ids.reduce((max, id) => Math.max(max, this.logits[id] as number), -Infinity);
  }

  get total(): number {
    const { max } = this;
    let z = 0;
    for (const id of this.ids) z += exp((this.logits[id] as number) - max);
    return z;
  }

  /** q by id, 0 outside K. */
  get probabilities(): number[] {
    const { max, total } = this;
    return this.logits.map((l) => (l > -Infinity ? exp(l - max) / total : 0));
  }

  get entropy(): number {
    let h = 0;
    for (const q of this.probabilities) if (q > 0) h -= q * log(q);
    return h;
  }

  get logprobs(): number[] {
    const { max, total } = this;
    const logZ = log(total);
    return this.logits.map((l) => l - max - logZ);
  }

  /** The fewest of the best whose q, summed by rank, reach p; all where rounding never does. */
  nucleus(p: number): number[] {
    const { probabilities, ranked } = this;
    let s = 0;
    const last = ranked.findIndex((id) => {
      s += probabilities[id] as number;
      return s >= p;
    });
    return last < 0 ? ranked : ranked.slice(0, last + 1);
  }

  /** The ids with q >= share * max q. */
  likely(share: number): number[] {
    const { probabilities, ids } = this;
    const threshold = share * probabilities.reduce((max, q) => Math.max(max, q), 0);
    return ids.filter((id) => (probabilities[id] as number) >= threshold);
  }

  /** The first id, ascending, where the running sum of q exceeds u; -1 where none does. */
  walk(u: number): number {
    const { probabilities } = this;
    let c = 0;
    return probabilities.findIndex((q) => {
      c += q;
      return u < c;
    });
  }

  keep(ids: readonly number[]): void {
    const kept = new Set(ids);
    this.logits = this.logits.map((l, id) => (kept.has(id) ? l : -Infinity));
  }

  set(id: number, value: number): void {
    this.logits[id] = value;
  }

  divide(divisor: number): void {
    this.logits = this.logits.map((l) => l / divisor);
  }
}
