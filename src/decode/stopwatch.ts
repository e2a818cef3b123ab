/**
 * Adds up the time of some work; what passes between its parts is not in it.
 */
export class Stopwatch {
  #seconds = 0;

  get seconds(): number {
    return this.#seconds;
  }

  /** How many of `count` a second; 0 where no time passed. */
  rate(count: number): number {
    return this.#seconds > 0 ? count / this.#seconds : 0;
  }

  /** What `work` gives, timed. */
  async measure<T>(work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.#seconds += (performance.now() - start) / 1000;
    }
  }

  /** The values of `source`, each timed. Leaving it leaves the source. */
  async *time<T>(source: AsyncGenerator<T, void, undefined>): AsyncGenerator<T, void, undefined> {
    try {
      for (;;) {
        const { done, value } = await this.measure(() => source.next());
        if (done) return;
        yield value;
      }
    } finally {
      await source.return();
    }
  }
}
