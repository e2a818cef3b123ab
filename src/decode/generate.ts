/**
 * Text from a model: prefill, then one token at a time, as an async iterator or as a promise of the whole.
 *
 * Per token: forward, sample with `out` the generated ids and `prompt` the prompt's ids (the begin token is the model's
 * affair: penalties do not count it), append. It ends at an end id (part of neither ids nor text), at a stop string
 * (the text is cut before its first occurrence), at max_tokens, or when the context is full. Text is handed out only
 * when it is final: never half a character, never what may still become a stop string.
 * Source: SPEC.md, "Generation".
 */
import type { RankedLogprob } from '../candidates/scores.js';
import { type CreateSamplerOptions, createSampler } from '../container/create-sampler.js';
import { InvalidValueError } from '../errors.js';
import type { LanguageModel } from '../model/language-model.js';
import type { Tokenizer } from '../model/tokenizer.js';
import { type SamplingParams, type SamplingParamsInput, validate } from '../params/sampling-params.js';
import type { Seed } from '../random/seed.js';
import type { Sampler } from '../sampler/sampler.js';
import { Context, checkPrompt, type WhenFull } from './context.js';
import { StopScanner } from './stop-scanner.js';

export type FinishReason = 'stop' | 'length';

export interface GenerateOptions extends Omit<CreateSamplerOptions, 'prompt' | 'history'> {
  /** Default `stop`. */
  readonly whenFull?: WhenFull;
  /** Ends the work: the iterator and the promise throw its reason. */
  readonly signal?: AbortSignal;
}

/** A generated token, or the end of the text. The `text` of all events together is the text. */
export type GenerateEvent = TokenEvent | EndEvent;

export interface TokenEvent {
  readonly type: 'token';
  readonly id: number;
  /** Text that became final with this token; often '' or more than the token's own. */
  readonly text: string;
  /** Nats; over the whole vocabulary, after the penalties, before temperature and filters. */
  readonly logprob: number;
  /** Entropy of the distribution that the token was drawn from, in nats; 0 when greedy. */
  readonly entropy: number;
  /** With `logprobs` n > 0: the n most likely ids. */
  readonly topLogprobs?: readonly RankedLogprob[];
}

export interface EndEvent {
  readonly type: 'end';
  /** Text that was held back and turned out to be no stop string. */
  readonly text: string;
  readonly finish_reason: FinishReason;
  /** The stop string or end id that ended the text. */
  readonly stopped_by?: string | number;
}

/** The whole of a generated text. */
export interface GenerateResult {
  readonly text: string;
  readonly ids: readonly number[];
  /** One a generated id, in nats. */
  readonly logprobs: readonly number[];
  /** One a generated id, in nats. */
  readonly entropies: readonly number[];
  readonly finish_reason: FinishReason;
  readonly stopped_by?: string | number;
  /** The seed, given or chosen: with it the run can be repeated. */
  readonly seed: Seed;
}

/**
 * Generates after `prompt`, a text or ids.
 *
 * `for await (const event of generate(…))` gives the tokens as they come, `await generate(…)` the whole; both may be
 * used on one generation, which runs once. Wrong parameters are refused here, before the model is asked anything.
 */
export function generate(
  model: LanguageModel,
  tokenizer: Tokenizer,
  prompt: string | readonly number[],
  params: SamplingParamsInput = {},
  options: GenerateOptions = {},
): Generation {
  const ids = typeof prompt === 'string' ? tokenizer.encode(prompt) : prompt;
  const { whenFull = 'stop', signal, ...samplerOptions } = options;
  if (whenFull !== 'stop' && whenFull !== 'slide') {
    throw new InvalidValueError('generate', 'whenFull', '`stop` or `slide`', whenFull);
  }
  const sampler = createSampler(params, { ...samplerOptions, prompt: ids });
  sampler.history.checkWithin(model.vocabSize, 'generate');
  checkPrompt(model, ids, whenFull);
  return new Generation({ model, tokenizer, params: validate(params), sampler, prompt: ids, whenFull, signal });
}

interface Parts {
  readonly model: LanguageModel;
  readonly tokenizer: Tokenizer;
  readonly params: SamplingParams;
  readonly sampler: Sampler;
  readonly prompt: readonly number[];
  readonly whenFull: WhenFull;
  readonly signal: AbortSignal | undefined;
}

/** One run: an async iterable of its events and a promise of its result. */
export class Generation implements AsyncIterable<GenerateEvent>, PromiseLike<GenerateResult> {
  readonly #events: AsyncGenerator<GenerateEvent, void, undefined>;
  readonly #sampler: Sampler;
  readonly #tokens: TokenEvent[] = [];
  #text = '';
  #end: EndEvent | undefined;
  #failure: { readonly reason: unknown } | undefined;
  #result: Promise<GenerateResult> | undefined;

  constructor(parts: Parts) {
    this.#sampler = parts.sampler;
    this.#events = this.#record(parts);
  }

  /** The seed, given or chosen. */
  get seed(): Seed {
    return this.#sampler.seed;
  }

  [Symbol.asyncIterator](): AsyncGenerator<GenerateEvent, void, undefined> {
    return this.#events;
  }

  // biome-ignore lint/suspicious/noThenProperty: a generation is awaited for its whole text
  then<A = GenerateResult, B = never>(
    onFulfilled?: ((result: GenerateResult) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#result ??= this.#finish();
    return this.#result.then(onFulfilled, onRejected);
  }

  async *#record(parts: Parts): AsyncGenerator<GenerateEvent, void, undefined> {
    try {
      for await (const event of run(parts)) {
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

  async #finish(): Promise<GenerateResult> {
    for await (const _ of this.#events); // what was not iterated yet
    if (this.#failure !== undefined) throw this.#failure.reason;
    const end = this.#end;
    if (end === undefined) throw new InvalidValueError('Generation', 'iteration', 'run to its end', 'left before');
    return {
      text: this.#text,
      ids: this.#tokens.map((token) => token.id),
      logprobs: this.#tokens.map((token) => token.logprob),
      entropies: this.#tokens.map((token) => token.entropy),
      finish_reason: end.finish_reason,
      ...(end.stopped_by === undefined ? {} : { stopped_by: end.stopped_by }),
      seed: this.seed,
    };
  }
}

async function* run(parts: Parts): AsyncGenerator<GenerateEvent, void, undefined> {
  const { model, params, sampler, signal } = parts;
  signal?.throwIfAborted();
  const context = await Context.open(model, parts.prompt, parts.whenFull);
  try {
    const scanner = new StopScanner(params.stop);
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    for (let count = 0; count < params.max_tokens && context.hasRoom; count++) {
      const { id, logprob } = sampler.sample(await context.logits(signal));
      if (model.endIds.includes(id)) {
        yield endEvent(scanner.push(decoder.decode()), scanner, id);
        return;
      }
      const scan = scanner.push(decoder.decode(parts.tokenizer.tokenBytes(id), { stream: true }));
      yield tokenEvent(sampler, params, id, logprob, scan.text);
      if (scan.stop !== undefined) {
        yield { type: 'end', text: '', finish_reason: 'stop', stopped_by: scan.stop };
        return;
      }
      context.push(id);
    }
    yield endEvent(scanner.push(decoder.decode()), scanner);
  } finally {
    await context.close();
  }
}

/** The end by an end id, or by length; a character cut in half at the end may still complete a stop string. */
function endEvent(scan: { text: string; stop?: string }, scanner: StopScanner, endId?: number): EndEvent {
  if (scan.stop !== undefined) return { type: 'end', text: scan.text, finish_reason: 'stop', stopped_by: scan.stop };
  const text = scan.text + scanner.flush();
  if (endId === undefined) return { type: 'end', text, finish_reason: 'length' };
  return { type: 'end', text, finish_reason: 'stop', stopped_by: endId };
}

function tokenEvent(sampler: Sampler, params: SamplingParams, id: number, logprob: number, text: string): TokenEvent {
  const event = { type: 'token', id, text, logprob, entropy: sampler.entropy() } as const;
  return params.logprobs > 0 ? { ...event, topLogprobs: sampler.topLogprobs(params.logprobs) } : event;
}
