/**
 * One run of a model: an async iterable of its events and a promise of its result.
 */
import { InvalidValueError } from '../errors.js';
import type { Seed } from '../random/seed.js';
import type { GenerateEvent, GenerateResult, TokenEvent } from './events.js';
import type { GenerationState } from './generation-state.js';
import { nthSeed } from './nth-seed.js';
import { readableStream } from './readable-stream.js';
import type { TokenLoop } from './token-loop.js';

export class Generation implements AsyncIterable<GenerateEvent>, PromiseLike<GenerateResult> {
  readonly #loop: TokenLoop;
  readonly #events: AsyncGenerator<GenerateEvent, void, undefined>;
  readonly #tokens: TokenEvent[] = [];
  #text = '';
  #failure: { readonly reason: unknown } | undefined;
  #result: Promise<GenerateResult> | undefined;

  constructor(loop: TokenLoop) {
    this.#loop = loop;
    this.#events = this.#record();
  }

  /** The seed, given or chosen; a `number` where it fits in one. */
  get seed(): Seed {
    return nthSeed(this.#loop.sampler.seed, 0);
  }

  [Symbol.asyncIterator](): AsyncGenerator<GenerateEvent, void, undefined> {
    return this.#events;
  }

  /**
   * The text as it becomes final, or the events, as a Web stream. Nothing is generated before it is read; cancelling it
   * ends the generation and frees the model's session.
   */
  toReadableStream(chunks?: 'text'): ReadableStream<string>;
  toReadableStream(chunks: 'events'): ReadableStream<GenerateEvent>;
  toReadableStream(chunks: 'text' | 'events' = 'text'): ReadableStream<string> | ReadableStream<GenerateEvent> {
    if (chunks === 'events') return readableStream(this.#events, (event) => event);
    if (chunks === 'text') return readableStream(this.#events, ({ text }) => (text === '' ? undefined : text));
    throw new InvalidValueError('Generation', 'chunks', '`text` or `events`', chunks);
  }

  /**
   * The state after the event that was handed out last, for `restoreGeneration` elsewhere; also after an error of the model
   * or the signal. Throws where a step of the chain has a state that it cannot save.
   */
  save(): GenerationState {
    return this.#loop.save();
  }

  // biome-ignore lint/suspicious/noThenProperty: a generation is awaited for its whole text
  then<A = GenerateResult, B = never>(
    onFulfilled?: ((result: GenerateResult) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#result ??= this.#finish();
    return this.#result.then(onFulfilled, onRejected);
  }

  async *#record(): AsyncGenerator<GenerateEvent, void, undefined> {
    try {
      for (let event = await this.#loop.next(); event !== undefined; event = await this.#loop.next()) {
        this.#text += event.text;
        if (event.type === 'token') this.#tokens.push(event);
        yield event;
      }
    } catch (reason) {
      this.#failure = { reason };
      throw reason;
    } finally {
      await this.#loop.close();
    }
  }

  async #finish(): Promise<GenerateResult> {
    for await (const _ of this.#events); // what was not iterated yet
    if (this.#failure !== undefined) throw this.#failure.reason;
    const { end, asksTop } = this.#loop;
    if (end === undefined) throw new InvalidValueError('Generation', 'iteration', 'run to its end', 'left before');
    const tokens = this.#tokens;
    return {
      text: this.#text,
      ids: tokens.map((token) => token.id),
      logprobs: tokens.map((token) => token.logprob),
      entropies: tokens.map((token) => token.entropy),
      ...(asksTop ? { topLogprobs: tokens.map((token) => token.topLogprobs ?? []) } : {}),
      finish_reason: end.finish_reason,
      ...(end.stopped_by === undefined ? {} : { stopped_by: end.stopped_by }),
      usage: this.#loop.usage,
      seed: this.seed,
    };
  }
}
