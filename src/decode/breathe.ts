/**
 * Lets timers, input and abort signals have their turn between the tokens of a model that never waits for anything.
 */
const SHARE_MS = 30;

export class Breather {
  #last = performance.now();

  /** Gives way when the work has run for a while; `signal`'s reason is thrown when it was aborted. */
  async breathe(signal: AbortSignal | undefined): Promise<void> {
    if (performance.now() - this.#last > SHARE_MS) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      this.#last = performance.now();
    }
    signal?.throwIfAborted();
  }
}
