/**
 * A sequence of the search: a continuation of another one, down to the empty one. Extending copies nothing.
 */
export class Hypothesis {
  /** The sequence it continues; undefined for the empty one. */
  readonly parent: Hypothesis | undefined;
  /** The last id; -1 for the empty one. */
  readonly id: number;
  /** The last id's part of `logprob`, in nats. */
  readonly step: number;
  /** The sum of the steps, first to last, in nats. */
  readonly logprob: number;
  /** The number of ids. */
  readonly length: number;

  private constructor(parent: Hypothesis | undefined, id: number, step: number, logprob: number) {
    this.parent = parent;
    this.id = id;
    this.step = step;
    this.logprob = logprob;
    this.length = parent === undefined ? 0 : parent.length + 1;
  }

  /** The sequence without ids. */
  static empty(): Hypothesis {
    return new Hypothesis(undefined, -1, 0, 0);
  }

  /** This sequence and `id` behind it. */
  extend(id: number, step: number): Hypothesis {
    return new Hypothesis(this, id, step, this.logprob + step);
  }

  /** The ids in order: a new array. */
  get ids(): number[] {
    return this.#collect((hypothesis) => hypothesis.id);
  }

  /** The ids from index `from` up to `to`, in [0, length]: a new array, at the cost of the ids behind `from`. */
  slice(from: number, to: number): number[] {
    const ids = new Array<number>(to - from);
    let at: Hypothesis = this;
    for (let i = this.length - 1; i >= from; i--) {
      if (i < to) ids[i - from] = at.id;
      at = at.parent as Hypothesis;
    }
    return ids;
  }

  /** How many ids this sequence and `other` continue together, at the cost of those behind. */
  sharedLength(other: Hypothesis): number {
    let [a, b]: [Hypothesis, Hypothesis] = [this, other];
    while (a !== b && a.length + b.length > 0) {
      const [x, y] = [a.length, b.length];
      if (x >= y) a = a.parent as Hypothesis;
      if (y >= x) b = b.parent as Hypothesis;
    }
    return a.length;
  }

  /** Each id's part of the logprob, in order: a new array. */
  get steps(): number[] {
    return this.#collect((hypothesis) => hypothesis.step);
  }

  #collect(value: (hypothesis: Hypothesis) => number): number[] {
    const values = new Array<number>(this.length);
    for (let at: Hypothesis = this; at.parent !== undefined; at = at.parent) values[at.length - 1] = value(at);
    return values;
  }
}
