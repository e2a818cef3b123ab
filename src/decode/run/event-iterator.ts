/**
 * An async iterator of events that are made when they are asked for, each once, for the call of `next` that came first.
 *
 * Differs from an async generator: a `next` that waits when `return` is called gives nothing. A generator would
 * give an event to a caller that has left.
 */
import type { EventSource } from './event-source.js';

const DONE: IteratorReturnResult<undefined> = Object.freeze({ done: true, value: undefined });

export class EventIterator<E> implements AsyncIterableIterator<E, void, undefined> {
  readonly #source: EventSource<E>;
  readonly #onEvent: (event: E) => void;
  #preparing: Promise<void> | undefined;
  #isReady = false;
  #isOver = false;
  #failure: { readonly reason: unknown } | undefined;
  #closing: Promise<void> | undefined;

  /** @param onEvent told of each event as it is made */
  constructor(source: EventSource<E>, onEvent: (event: E) => void = () => {}) {
    this.#source = source;
    this.#onEvent = onEvent;
  }

  /** Whether nothing comes any more: it was iterated to its end, was left, or failed. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Why it failed, where it did. */
  get failure(): { readonly reason: unknown } | undefined {
    return this.#failure;
  }

  async next(): Promise<IteratorResult<E, void>> {
    let result: IteratorResult<E, void> = DONE;
    await this.hand((value) => {
      result = { done: false, value };
    });
    return result;
  }

  /** Leaves: what waits gives nothing, and once it does not wait any more, everything is freed. */
  async return(): Promise<IteratorResult<E, void>> {
    this.#isOver = true;
    await this.#preparing?.catch(() => {}); // the call that waits for it gets the error
    await this.#close();
    return DONE;
  }

  async throw(reason: unknown): Promise<IteratorResult<E, void>> {
    await this.return();
    throw reason;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Hands the next event to `use` at the moment it is made; whether there was one. */
  async hand(use: (event: E) => void): Promise<boolean> {
    for (;;) {
      await this.prepare();
      if (this.#isOver) return false;
      const event = this.take();
      if (event !== undefined) {
        use(event);
        return true;
      }
    }
  }

  /** Waits for what the next event is made of; throws what it fails with. */
  async prepare(): Promise<void> {
    if (this.#isReady || this.#isOver) return;
    this.#preparing ??= this.#prepare();
    await this.#preparing;
  }

  /** The event, where `prepare` has waited for it; undefined where it has not, or has to again. */
  take(): E | undefined {
    if (!this.#isReady || this.#isOver) return undefined;
    this.#isReady = false;
    try {
      const event = this.#source.take();
      if (event !== undefined) this.#onEvent(event);
      return event;
    } catch (reason) {
      this.#failure = { reason }; // thrown by `prepare`, once everything is freed
      return undefined;
    }
  }

  async #prepare(): Promise<void> {
    try {
      if (this.#failure !== undefined) throw this.#failure.reason;
      if (!this.#source.isOver) await this.#source.prepare();
      this.#isReady = !this.#source.isOver;
    } catch (reason) {
      this.#failure = { reason };
      await this.#close().catch(() => {}); // the first failure is the one to tell
      this.#isOver = true;
      throw reason;
    } finally {
      this.#preparing = undefined;
    }
    if (this.#isReady) return;
    this.#isOver = true;
    await this.#close();
  }

  #close(): Promise<void> {
    this.#closing ??= this.#source.close();
    return this.#closing;
  }
}
