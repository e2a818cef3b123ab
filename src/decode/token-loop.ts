/**
 * One generation, an event at a time: forward, sample, text; and its state between any two events.
 *
 * From the draw of a token to its event nothing is waited for, so a state is never in the middle of a token.
 */
import { InvalidValueError } from '../errors.js';
import type { SampledToken, Sampler } from '../sampler/sampler.js';
import { saveSampler } from '../sampler/sampler-state.js';
import { Context } from './context.js';
import { endOf, stopped } from './ending.js';
import type { EndEvent, Ending, GenerateEvent, LengthBy, PromptEvent, TokenEvent, Usage } from './events.js';
import { type GenerationState, modelFacts, STATE_VERSION, tokenizerFacts } from './generation-state.js';
import type { LoopParts } from './loop-parts.js';
import { PromptScorer } from './prompt-scorer.js';
import { endIdsOf } from './request-sampler.js';
import { Stopwatch } from './stopwatch.js';
import { TextStream } from './text-stream.js';
import { topLogprobs } from './top-logprobs.js';

export class TokenLoop {
  readonly #parts: LoopParts;
  readonly #text: TextStream;
  readonly #endIds: ReadonlySet<number>;
  #context: Context | undefined;
  #echo: string | undefined;
  #ending: Ending | undefined;
  #ended: boolean;
  /** Whether a token was drawn and its event failed. */
  #torn = false;
  /** Tokens so far, and those of them that came before this loop. */
  #count: number;
  readonly #before: number;
  readonly #watch = new Stopwatch();

  constructor(parts: LoopParts) {
    this.#parts = parts;
    this.#text = new TextStream(parts.params.stop, parts.held);
    this.#endIds = new Set(endIdsOf(parts.model, parts.params));
    this.#echo = parts.echo;
    this.#ending = parts.ending;
    this.#ended = parts.ended ?? false;
    const { output } = parts.sampler.history;
    this.#before = output.length - (this.#endIds.has(output.at(-1) as number) ? 1 : 0); // an end id is no token
    this.#count = this.#before;
  }

  get sampler(): Sampler {
    return this.#parts.sampler;
  }

  /** Whether the most likely ids are asked for. */
  get asksTop(): boolean {
    return this.#parts.params.logprobs > 0;
  }

  /** The end, once it was handed out, with the tokens up to it. */
  get end(): (Ending & { readonly usage: Usage }) | undefined {
    return this.#ended && this.#ending !== undefined ? { ...this.#ending, usage: this.#usage } : undefined;
  }

  /** The events from here to the end. Leaving them frees the model's session. */
  async *events(): AsyncGenerator<GenerateEvent, void, undefined> {
    try {
      while (!this.#ended) {
        const event = await this.#watch.measure(() => this.#step());
        if (event.type === 'end') await this.#close();
        yield event.type === 'end' ? this.#handEnd(event) : event;
      }
    } finally {
      await this.#close();
    }
  }

  /** The state after the last event, as JSON. Throws when it cannot be one. */
  save(): GenerationState {
    if (this.#torn) {
      throw new InvalidValueError('Generation', 'save', 'asked for between two events', 'a token that failed half-way');
    }
    const { model, tokenizer, params, sampler, whenFull } = this.#parts;
    const { max_tokens, stop, stop_token_ids, logprobs, stop_after } = params;
    return {
      version: STATE_VERSION,
      model: modelFacts(model),
      tokenizer: tokenizerFacts(tokenizer),
      sampler: saveSampler(sampler),
      params: { max_tokens, stop: [...stop], stop_token_ids: [...stop_token_ids], logprobs, stop_after },
      whenFull,
      held: this.#text.held,
      echo: this.#echo ?? null,
      ending: this.#ending ?? null,
      ended: this.#ended,
    };
  }

  get #usage(): Usage {
    return { prompt_tokens: this.sampler.history.prompt.length, completion_tokens: this.#count };
  }

  async #open(): Promise<Context> {
    const { model, sampler, whenFull } = this.#parts;
    const { prompt, output } = sampler.history;
    this.#context ??= await Context.open(model, [...prompt, ...output], whenFull);
    return this.#context;
  }

  /** Frees the model's session. */
  async #close(): Promise<void> {
    const context = this.#context;
    this.#context = undefined;
    await context?.close();
  }

  async #step(): Promise<PromptEvent | TokenEvent | Ending> {
    const { params, sampler, signal } = this.#parts;
    signal?.throwIfAborted();
    if (this.#echo !== undefined) return this.#handEcho(this.#echo);
    if (this.#ending !== undefined) return this.#ending;
    if (this.#count >= params.max_tokens) return this.#end('max_tokens');
    const context = await this.#open();
    if (!context.hasRoom) return this.#end('context');
    const logits = await context.logits(signal);
    const token = sampler.sample(logits);
    this.#torn = true;
    try {
      const event = this.#endIds.has(token.id) ? this.#end(token.id) : this.#advance(token, context);
      this.#torn = false;
      return event;
    } finally {
      sampler.release(); // what the event says was read: other requests may use the arrays
    }
  }

  #advance({ id, logprob }: SampledToken, context: Context): TokenEvent {
    const { params, sampler, tokenizer } = this.#parts;
    const { text, stop } = this.#text.push(tokenizer.tokenBytes(id), this.#count < params.stop_after);
    const event = { type: 'token', id, count: this.#count + 1, text, logprob, entropy: sampler.entropy() } as const;
    const top = topLogprobs(sampler, tokenizer, params.logprobs, { id, logprob });
    if (stop !== undefined) this.#ending = stopped(stop);
    this.#count++;
    context.push(id);
    return top === undefined ? event : { ...event, topLogprobs: top };
  }

  /** @param by an end id, or the length that is reached */
  #end(by: number | LengthBy): Ending {
    const { stop_after } = this.#parts.params;
    this.#ending = endOf(this.#text, by, stop_after > 0 && this.#count <= stop_after);
    return this.#ending;
  }

  /** With `logprobs`, those of the prompt are taken on the way: the session has all but its last id from then on. */
  async #handEcho(text: string): Promise<PromptEvent> {
    const { params, sampler, tokenizer, signal } = this.#parts;
    const scorer = new PromptScorer(sampler, tokenizer, params.logprobs);
    if (params.logprobs > 0) await (await this.#open()).walk(signal, (index, logits) => scorer.look(index, logits));
    this.#echo = undefined;
    return params.logprobs > 0 ? { type: 'prompt', text, prompt: scorer.scored } : { type: 'prompt', text };
  }

  #handEnd(ending: Ending): EndEvent {
    this.#ended = true;
    const made = this.#count - this.#before;
    const timing = { seconds: this.#watch.seconds, tokens_per_second: this.#watch.rate(made) };
    return { ...ending, usage: this.#usage, timing };
  }
}
