/**
 * One speculative run: an async iterable of its events and a promise of its result, as a `Generation` is.
 */
import { InvalidValueError } from '../../errors.js';
import type { Seed } from '../../random/seed.js';
import type { EndEvent, GenerateResult, TokenEvent } from '../events.js';
import { readableStream } from '../readable-stream.js';
import type { SpeculationParts } from './speculate.js';
import type { SpeculationStatistics } from './statistics.js';

type Event = TokenEvent | EndEvent;

/** The whole of a text, and what speculation came to. */
export interface SpeculativeResult extends GenerateResult {
  readonly speculation: SpeculationStatistics;
}

export class SpeculativeGeneration implements AsyncIterable<Event>, PromiseLike<SpeculativeResult> {
  readonly #parts: SpeculationParts;
  readonly #events: AsyncGenerator<Event, void, undefined>;
  readonly #tokens: TokenEvent[] = [];
  #text = '';
  #end: EndEvent | undefined;
  #failure: { readonly reason: unknown } | undefined;
  #result: Promise<SpeculativeResult> | undefined;

  constructor(parts: SpeculationParts, events: AsyncGenerator<Event, void, undefined>) {
    this.#parts = parts;
    this.#events = this.#record(events);
  }

  /** The seed, given or chosen. */
  get seed(): Seed {
    return this.#parts.sampler.seed;
  }

  /** What speculation came to so far. */
  get speculation(): SpeculationStatistics {
    return this.#parts.counter.snapshot();
  }

  [Symbol.asyncIterator](): AsyncGenerator<Event, void, undefined> {
    return this.#events;
  }

  /** The text as it becomes final, as a Web stream; cancelling it ends the generation and frees the sessions. */
  toReadableStream(): ReadableStream<string> {
    return readableStream(this.#events, ({ text }) => (text === '' ? undefined : text));
  }

  // biome-ignore lint/suspicious/noThenProperty: a generation is awaited for its whole text
  then<A = SpeculativeResult, B = never>(
    onFulfilled?: ((result: SpeculativeResult) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#result ??= this.#finish();
    return this.#result.then(onFulfilled, onRejected);
  }

  async *#record(events: AsyncGenerator<Event, void, undefined>): AsyncGenerator<Event, void, undefined> {
    try {
      for await (const event of events) {
        this.#text += event.text;
        if (event.type === 'token') this.#tokens.push(event);
        else this.#end = event;
        yield event;
      }
    } catch (reason) {
      this.#failure = { reason };
      throw reason;
    }
  }

  async #finish(): Promise<SpeculativeResult> {
    for await (const _ of this.#events); // what was not iterated yet
    if (this.#failure !== undefined) throw this.#failure.reason;
    const end = this.#end;
    if (end === undefined) {
      throw new InvalidValueError('SpeculativeGeneration', 'iteration', 'run to its end', 'left before');
    }
    const tokens = this.#tokens;
    return {
      text: this.#text,
      ids: tokens.map((token) => token.id),
      logprobs: tokens.map((token) => token.logprob),
      entropies: tokens.map((token) => token.entropy),
      ...(this.#parts.logprobs > 0 ? { topLogprobs: tokens.map((token) => token.topLogprobs ?? []) } : {}),
      finish_reason: end.finish_reason,
      ...(end.stopped_by === undefined ? {} : { stopped_by: end.stopped_by }),
      usage: end.usage,
      seed: this.seed,
      speculation: this.speculation,
    };
  }
}
