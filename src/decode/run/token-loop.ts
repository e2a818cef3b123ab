/**
 * One generation, an event at a time: forward, sample, text; and its state between any two events.
 *
 * The logits are waited for before anything is drawn, and the token is drawn as its event is handed out: a state is never in
 * the middle of a token, and contains no token that was not handed out.
 */
import { InvalidValueError } from '../../errors.js';
import type { SampledToken, Sampler } from '../../sampler/sampler.js';
import { saveSampler } from '../../sampler/sampler-state.js';
import { endIdsOf } from '../request-sampler.js';
import { breathe } from '../session/breathe.js';
import { Context, hasRoom } from '../session/context.js';
import { endOf, stopped } from '../text/ending.js';
import { TextStream } from '../text/text-stream.js';
import type { EventSource } from './event-source.js';
import type {
  EndEvent,
  Ending,
  GenerateEvent,
  LengthBy,
  PromptEvent,
  ScoredPrompt,
  TokenEvent,
  Usage,
} from './events.js';
import { type GenerationState, modelFacts, STATE_VERSION, tokenizerFacts } from './generation-state.js';
import type { LoopParts } from './loop-parts.js';
import { PromptScorer } from './prompt-scorer.js';
import { Stopwatch } from './stopwatch.js';
import { topLogprobs } from './top-logprobs.js';

export class TokenLoop implements EventSource<GenerateEvent> {
  readonly #parts: LoopParts;
  readonly #text: TextStream;
  readonly #endIds: ReadonlySet<number>;
  #context: Context | undefined;
  /** What is waited for, from then on until it is handed out. */
  #logits: Float32Array | undefined;
  /** The next token's id, where it needs no logits. */
  #only: number | undefined;
  #scored: ScoredPrompt | undefined;
  #echo: string | undefined;
  #ending: Ending | undefined;
  #ended: boolean;
  /** Whether a token was drawn and its event failed. */
  #torn = false;
  /** Tokens so far, and those of them that came before this loop. */
  #count: number;
  readonly #before: number;
  /** Those that needed no logits. */
  #forced: number;
  /** Whether the next one was refused without logits: with them, the refusal is the one that there always is. */
  #wasRefused = false;
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
    this.#forced = parts.forced ?? 0;
  }

  get sampler(): Sampler {
    return this.#parts.sampler;
  }

  /** Whether the most likely ids are asked for. */
  get asksTop(): boolean {
    return this.#parts.params.logprobs > 0;
  }

  /** The end, once it was handed out, with the tokens up to it and what there is to say of them. */
  get end(): Omit<EndEvent, 'timing'> | undefined {
    return this.#ended && this.#ending !== undefined ? this.#told(this.#ending) : undefined;
  }

  /** Whether the end was handed out. */
  get isOver(): boolean {
    return this.#ended;
  }

  /** Waits for the logits of the next token, for those of the prompt, or before the end for the session to be freed. */
  prepare(): Promise<void> {
    return this.#watch.measureAsync(async () => {
      const { params, signal } = this.#parts;
      signal?.throwIfAborted();
      if (this.#echo !== undefined) await this.#score(params.logprobs);
      else if (this.#isAtEnd) await this.close();
      else await this.#ask(signal);
    });
  }

  /** The next event; undefined for an end id, as the session is freed before the end is handed out. */
  take(): GenerateEvent | undefined {
    if (this.#echo !== undefined) return this.#handEcho(this.#echo);
    const [only, logits] = [this.#only, this.#logits];
    this.#only = undefined;
    this.#logits = undefined;
    if (only !== undefined) return this.#watch.measure(() => this.#sampleOnly(only));
    if (logits === undefined) return this.#handEnd();
    return this.#watch.measure(() => this.#sample(logits));
  }

  /** Frees the model's session. */
  async close(): Promise<void> {
    const context = this.#context;
    this.#context = undefined;
    await context?.close();
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
      ...(this.#forced > 0 && { forced: this.#forced }),
      echo: this.#echo ?? null,
      ending: this.#ending ?? null,
      ended: this.#ended,
    };
  }

  get #usage(): Usage {
    const forced = this.#forced > 0 ? { forced_tokens: this.#forced } : {};
    return { prompt_tokens: this.sampler.history.prompt.length, completion_tokens: this.#count, ...forced };
  }

  /** Whether no token comes any more. */
  get #isAtEnd(): boolean {
    return this.#ending !== undefined || this.#lengthBy !== undefined;
  }

  /** The length that is reached. */
  get #lengthBy(): LengthBy | undefined {
    const { model, params, sampler, whenFull } = this.#parts;
    if (this.#count >= params.max_tokens) return 'max_tokens';
    const { prompt, output } = sampler.history;
    return hasRoom(model, prompt.length + output.length, whenFull) ? undefined : 'context';
  }

  async #open(): Promise<Context> {
    const { model, sampler } = this.#parts;
    const { prompt, output } = sampler.history;
    this.#context ??= await Context.open(model, [...prompt, ...output]);
    return this.#context;
  }

  /** Waits for the logits, unless the next token is known without them. */
  async #ask(signal: AbortSignal | undefined): Promise<void> {
    const { model, sampler } = this.#parts;
    this.#only = this.#wasRefused ? undefined : sampler.chain.only(model.vocabSize);
    if (this.#only === undefined) this.#logits = await (await this.#open()).logits(signal);
    else await breathe(signal);
  }

  #sampleOnly(id: number): TokenEvent | undefined {
    const { model, sampler, signal } = this.#parts;
    signal?.throwIfAborted();
    let token: SampledToken;
    try {
      token = sampler.sampleOnly(id, model.vocabSize);
    } catch {
      this.#wasRefused = true;
      return undefined; // the model is asked after all
    }
    this.#forced += this.#endIds.has(id) ? 0 : 1;
    return this.#enter(token);
  }

  #sample(logits: Float32Array): TokenEvent | undefined {
    const { sampler, signal } = this.#parts;
    signal?.throwIfAborted();
    const token = sampler.sample(logits);
    this.#wasRefused = false;
    return this.#enter(token);
  }

  #enter(token: SampledToken): TokenEvent | undefined {
    const { sampler } = this.#parts;
    this.#torn = true;
    try {
      const event = this.#endIds.has(token.id) ? this.#end(token.id) : this.#advance(token);
      this.#torn = false;
      return event;
    } finally {
      sampler.release(); // what the event says was read: other requests may use the arrays
    }
  }

  #advance({ id, logprob }: SampledToken): TokenEvent {
    const { params, sampler, tokenizer } = this.#parts;
    const { text, stop } = this.#text.push(tokenizer.tokenBytes(id), this.#count < params.stop_after);
    const event = { type: 'token', id, count: this.#count + 1, text, logprob, entropy: sampler.entropy() } as const;
    const top = topLogprobs(sampler, tokenizer, params.logprobs, { id, logprob });
    if (stop !== undefined) this.#ending = stopped(stop);
    this.#count++;
    this.#context?.push(id);
    return top === undefined ? event : { ...event, topLogprobs: top };
  }

  /** Decides on the end: by an end id, or by the length that is reached. */
  #end(by: number | LengthBy): undefined {
    const { stop_after } = this.#parts.params;
    this.#ending = endOf(this.#text, by, stop_after > 0 && this.#count <= stop_after);
  }

  /** Takes the logprobs of the prompt, where they are asked for: the session has all but its last id from then on. */
  async #score(logprobs: number): Promise<void> {
    if (logprobs === 0) return;
    const { sampler, tokenizer, signal } = this.#parts;
    const scorer = new PromptScorer(sampler, tokenizer, logprobs);
    await (await this.#open()).walk(signal, (index, logits) => scorer.look(index, logits));
    this.#scored = scorer.scored;
  }

  #handEcho(text: string): PromptEvent {
    this.#echo = undefined;
    return { type: 'prompt', text, ...(this.#scored && { prompt: this.#scored }) };
  }

  #handEnd(): EndEvent {
    if (this.#ending === undefined) this.#end(this.#lengthBy as LengthBy);
    const made = this.#count - this.#before;
    const timing = { seconds: this.#watch.seconds, tokens_per_second: this.#watch.rate(made) };
    const told = this.#told(this.#ending as Ending);
    this.#ended = true;
    return { ...told, timing };
  }

  #told(ending: Ending): Omit<EndEvent, 'timing'> {
    const reports = this.sampler.chain.reports();
    return { ...ending, usage: this.#usage, ...(reports && { reports }) };
  }
}
