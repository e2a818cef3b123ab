/**
 * Adds up the time that a source of values works; what passes between its values is not in it.
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

  /** The values of `source`, timed. Leaving it leaves the source. */
  async *time<T>(source: AsyncGenerator<T, void, undefined>): AsyncGenerator<T, void, undefined> {
    try {
      for (;;) {
        const start = performance.now();
        const { done, value } = await source.next();
        this.#seconds += (performance.now() - start) / 1000;
        if (done) return;
        yield value;
      }
    } finally {
      await source.return();
    }
  }
}
