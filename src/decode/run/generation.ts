/**
 * One run of a model: an async iterable of its events and a promise of its result.
 */
import { InvalidValueError } from '../../errors.js';
import type { Seed } from '../../random/seed.js';
import type { EventIterator } from './event-iterator.js';
import type { GenerateEvent, GenerateResult } from './events.js';
import type { GenerationState } from './generation-state.js';
import { nthSeed } from './nth-seed.js';
import { readableStream } from './readable-stream.js';
import { RunRecord } from './run-record.js';
import type { TokenLoop } from './token-loop.js';

export class Generation implements AsyncIterable<GenerateEvent>, PromiseLike<GenerateResult> {
  readonly #loop: TokenLoop;
  readonly #record: RunRecord<GenerateEvent>;
  #result: Promise<GenerateResult> | undefined;

  constructor(loop: TokenLoop) {
    this.#loop = loop;
    this.#record = new RunRecord('Generation', loop);
  }

  /** The seed, given or chosen; a `number` where it fits in one. */
  get seed(): Seed {
    return nthSeed(this.#loop.sampler.seed, 0);
  }

  [Symbol.asyncIterator](): EventIterator<GenerateEvent> {
    return this.#record.events;
  }

  /**
   * The text as it becomes final, or the events, as a Web stream. Nothing is generated before it is read; cancelling it
   * ends the generation and frees the model's session.
   */
  toReadableStream(chunks?: 'text'): ReadableStream<string>;
  toReadableStream(chunks: 'events'): ReadableStream<GenerateEvent>;
  toReadableStream(chunks: 'text' | 'events' = 'text'): ReadableStream<string> | ReadableStream<GenerateEvent> {
    const { events } = this.#record;
    if (chunks === 'events') return readableStream(events, (event) => event);
    if (chunks === 'text') return readableStream(events, ({ text }) => (text === '' ? undefined : text));
    throw new InvalidValueError('Generation', 'chunks', '`text` or `events`', chunks);
  }

  /**
   * The state after the event that was handed out last, for `restoreGeneration` elsewhere; also after an error of the model
   * or the signal, and when it was left while an event was waited for. Throws where a step of the chain has a state that it cannot save.
   */
  save(): GenerationState {
    return this.#loop.save();
  }

  // biome-ignore lint/suspicious/noThenProperty: a generation is awaited for its whole text
  then<A = GenerateResult, B = never>(
    onFulfilled?: ((result: GenerateResult) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    const { asksTop } = this.#loop;
    this.#result ??= this.#record.finish(() => ({ end: this.#loop.end, asksTop, seed: this.seed }));
    return this.#result.then(onFulfilled, onRejected);
  }
}
