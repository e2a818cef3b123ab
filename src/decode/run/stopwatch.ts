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
  measure<T>(work: () => T): T {
    const start = performance.now();
    try {
      return work();
    } finally {
      this.#add(start);
    }
  }

  /** As `measure`, for work that is waited for. */
  async measureAsync<T>(work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.#add(start);
    }
  }

  #add(start: number): void {
    this.#seconds += (performance.now() - start) / 1000;
  }
}
