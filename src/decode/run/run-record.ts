/**
 * The events of one run as they are handed out, once, and what they come to.
 */
import { InvalidValueError } from '../../errors.js';
import type { Seed } from '../../random/seed.js';
import { EventIterator } from './event-iterator.js';
import type { EventSource } from './event-source.js';
import type { EndEvent, GenerateEvent, GenerateResult, ScoredPrompt, TokenEvent } from './events.js';
import { withSeed } from './with-seed.js';

/** How a run ended, and what else its result says. */
export interface RunFacts {
  /** Undefined while the run has not come to its end. */
  readonly end: Pick<EndEvent, 'finish_reason' | 'stopped_by' | 'length_by' | 'usage' | 'reports'> | undefined;
  /** Whether the most likely ids were asked for. */
  readonly asksTop: boolean;
  readonly seed: Seed;
}

export class RunRecord<E extends GenerateEvent> {
  readonly #owner: string;
  readonly #events: EventIterator<E>;
  readonly #tokens: TokenEvent[] = [];
  #text = '';
  #prompt: ScoredPrompt | undefined;
  #end: EndEvent | undefined;

  /** @param owner whom an error names */
  constructor(owner: string, source: EventSource<E>) {
    this.#owner = owner;
    this.#events = new EventIterator(source, (event) => this.#add(event));
  }

  /**
   * One iterator for all who ask, so that an event is handed out once. Throws when the run is over, rather than give
   * nothing: what it failed with, or InvalidValueError.
   */
  get events(): EventIterator<E> {
    const { isOver, failure } = this.#events;
    if (!isOver) return this.#events;
    if (failure !== undefined) throw failure.reason;
    const domain = 'begun before the run is over (each event is handed out once; awaiting gives the whole)';
    throw new InvalidValueError(this.#owner, 'iteration', domain, 'one that begins afterwards');
  }

  /** The end, once it was handed out. */
  get end(): EndEvent | undefined {
    return this.#end;
  }

  /** Runs what was not iterated yet; the whole, by the facts as they are then. */
  async finish(facts: () => RunFacts): Promise<GenerateResult> {
    for await (const _ of this.#events);
    const { failure } = this.#events;
    if (failure !== undefined) throw failure.reason;
    const { end, asksTop, seed } = facts();
    if (end === undefined) throw new InvalidValueError(this.#owner, 'iteration', 'run to its end', 'left before');
    const tokens = this.#tokens;
    return withSeed({
      text: this.#text,
      ids: tokens.map((token) => token.id),
      logprobs: tokens.map((token) => token.logprob),
      entropies: tokens.map((token) => token.entropy),
      ...(asksTop ? { topLogprobs: tokens.map((token) => token.topLogprobs ?? []) } : {}),
      ...(this.#prompt === undefined ? {} : { prompt: this.#prompt }),
      finish_reason: end.finish_reason,
      ...(end.stopped_by === undefined ? {} : { stopped_by: end.stopped_by }),
      ...(end.length_by === undefined ? {} : { length_by: end.length_by }),
      usage: end.usage,
      ...(end.reports === undefined ? {} : { reports: end.reports }),
      seed,
    });
  }

  #add(event: E): void {
    this.#text += event.text;
    if (event.type === 'prompt') this.#prompt = event.prompt;
    if (event.type === 'token') this.#tokens.push(event);
    if (event.type === 'end') this.#end = event;
  }
}
