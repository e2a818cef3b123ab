/**
 * From verified tokens to events: end ids, stop strings and max_tokens hold inside a block as they hold between two.
 *
 * What ends the text asks for no further token, and so drops what is left of the block.
 */

import type { EventSource } from '../run/event-source.js';
import type { EndEvent, Ending, TokenEvent } from '../run/events.js';
import type { LoopParams } from '../run/loop-parts.js';
import { Stopwatch } from '../run/stopwatch.js';
import { endOf, stopped } from '../text/ending.js';
import { TextStream } from '../text/text-stream.js';
import { Speculation, type SpeculationParts, type VerifiedToken } from './speculate.js';

export class SpeculativeText implements EventSource<TokenEvent | EndEvent> {
  readonly #parts: SpeculationParts;
  readonly #params: LoopParams;
  readonly #tokens: Speculation;
  readonly #text: TextStream;
  readonly #watch = new Stopwatch();
  #count = 0;
  #ending: Ending | undefined;
  #isOver = false;

  constructor(parts: SpeculationParts, params: LoopParams) {
    this.#parts = parts;
    this.#params = params;
    this.#tokens = new Speculation(parts);
    this.#text = new TextStream(params.stop);
  }

  /** Whether the end was handed out. */
  get isOver(): boolean {
    return this.#isOver;
  }

  prepare(): Promise<void> {
    return this.#watch.measureAsync(async () => {
      if (!this.#isAtEnd) await this.#tokens.prepare();
      if (this.#isAtEnd) await this.#tokens.close();
    });
  }

  /** The next event; undefined for an end id, as the sessions are freed before the end is handed out. */
  take(): TokenEvent | EndEvent | undefined {
    return this.#isAtEnd ? this.#handEnd() : this.#watch.measure(() => this.#advance(this.#tokens.take()));
  }

  close(): Promise<void> {
    return this.#tokens.close();
  }

  get #isAtEnd(): boolean {
    return this.#ending !== undefined || this.#count === this.#params.max_tokens || this.#tokens.isOver;
  }

  #advance(token: VerifiedToken): TokenEvent | undefined {
    const { endIds, tokenizer } = this.#parts;
    const { stop_after } = this.#params;
    if (endIds.includes(token.id)) {
      this.#ending = endOf(this.#text, token.id, this.#count < stop_after);
      return undefined;
    }
    const { text, stop } = this.#text.push(tokenizer.tokenBytes(token.id), this.#count < stop_after);
    if (stop !== undefined) this.#ending = stopped(stop);
    this.#count++;
    return tokenEvent(token, this.#count, text);
  }

  #handEnd(): EndEvent {
    const { stop_after, max_tokens } = this.#params;
    const count = this.#count;
    const by = count === max_tokens ? 'max_tokens' : 'context';
    this.#ending ??= endOf(this.#text, by, count <= stop_after && stop_after > 0);
    const { history, chain } = this.#parts.sampler;
    const usage = { prompt_tokens: history.prompt.length, completion_tokens: count };
    const reports = chain.reports();
    this.#isOver = true;
    const timing = { seconds: this.#watch.seconds, tokens_per_second: this.#watch.rate(count) };
    return { ...this.#ending, usage, ...(reports && { reports }), timing };
  }
}

function tokenEvent(token: VerifiedToken, count: number, text: string): TokenEvent {
  const { id, logprob, entropy, topLogprobs } = token;
  const event = { type: 'token', id, count, text, logprob, entropy } as const;
  return topLogprobs === undefined ? event : { ...event, topLogprobs };
}
