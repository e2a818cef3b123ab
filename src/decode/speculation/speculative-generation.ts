/**
 * One speculative run: an async iterable of its events and a promise of its result, as a `Generation` is.
 */
import type { Seed } from '../../random/seed.js';
import type { EventIterator } from '../run/event-iterator.js';
import type { EventSource } from '../run/event-source.js';
import type { EndEvent, GenerateResult, TokenEvent } from '../run/events.js';
import { nthSeed } from '../run/nth-seed.js';
import { readableStream } from '../run/readable-stream.js';
import { RunRecord } from '../run/run-record.js';
import { withSeed } from '../run/with-seed.js';
import type { SpeculationParts } from './speculate.js';
import type { SpeculationStatistics } from './statistics.js';

type Event = TokenEvent | EndEvent;

/** The whole of a text, and what speculation came to. */
export interface SpeculativeResult extends GenerateResult {
  readonly speculation: SpeculationStatistics;
}

export class SpeculativeGeneration implements AsyncIterable<Event>, PromiseLike<SpeculativeResult> {
  readonly #parts: SpeculationParts;
  readonly #record: RunRecord<Event>;
  #result: Promise<SpeculativeResult> | undefined;

  constructor(parts: SpeculationParts, events: EventSource<Event>) {
    this.#parts = parts;
    this.#record = new RunRecord('SpeculativeGeneration', events);
  }

  /** The seed, given or chosen; a `number` where it fits in one. */
  get seed(): Seed {
    return nthSeed(this.#parts.sampler.seed, 0);
  }

  /** What speculation came to so far. */
  get speculation(): SpeculationStatistics {
    return this.#parts.counter.snapshot();
  }

  [Symbol.asyncIterator](): EventIterator<Event> {
    return this.#record.events;
  }

  /** The text as it becomes final, as a Web stream; cancelling it ends the generation and frees the sessions. */
  toReadableStream(): ReadableStream<string> {
    return readableStream(this.#record.events, ({ text }) => (text === '' ? undefined : text));
  }

  // biome-ignore lint/suspicious/noThenProperty: a generation is awaited for its whole text
  then<A = SpeculativeResult, B = never>(
    onFulfilled?: ((result: SpeculativeResult) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#result ??= this.#finish();
    return this.#result.then(onFulfilled, onRejected);
  }

  async #finish(): Promise<SpeculativeResult> {
    const asksTop = this.#parts.logprobs > 0;
    const result = await this.#record.finish(() => ({ end: this.#record.end, asksTop, seed: this.seed }));
    return withSeed({ ...result, speculation: this.speculation });
  }
}
