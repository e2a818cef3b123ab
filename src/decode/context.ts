/**
 * The ids of one request as the model sees them: a session that grows by a token, and the window it keeps when full.
 */
import { InvalidValueError } from '../errors.js';
import type { LanguageModel, ModelSession } from '../model/language-model.js';
import { Breather } from './breathe.js';
import { logitsAfter } from './catch-up.js';
import { type LookAtLogits, walk } from './walk.js';

/**
 * What happens when the context is full: `stop` ends the text with `length`; `slide` computes a window anew for each
 * token: the begin token, where the model was trained with one, and the last ids.
 */
export type WhenFull = 'stop' | 'slide';

/** Refuses a prompt, ids without the begin token, that the model cannot take. */
export function checkPrompt(model: LanguageModel, prompt: readonly number[], whenFull: WhenFull): void {
  const begins = model.beginId === undefined ? 0 : 1;
  const room = model.contextLength - begins;
  if (prompt.length + begins === 0) {
    throw new InvalidValueError('generate', 'prompt', 'not empty (the model has no begin token)', prompt);
  }
  if (whenFull === 'stop' && prompt.length > room) {
    throw new InvalidValueError('generate', 'prompt', `at most ${room} ids (or slide when full)`, prompt.length);
  }
}

/** Refuses a prompt that slides away before it is scored. */
export function checkScored(model: LanguageModel, prompt: readonly number[]): void {
  const room = model.contextLength - (model.beginId === undefined ? 0 : 1);
  if (prompt.length <= room) return;
  throw new InvalidValueError('generate', 'prompt', `at most ${room} ids where it has logprobs`, prompt.length);
}

export class Context {
  readonly #model: LanguageModel;
  readonly #session: ModelSession;
  readonly #ids: number[];
  readonly #whenFull: WhenFull;
  readonly #breather = new Breather();

  private constructor(model: LanguageModel, session: ModelSession, prompt: readonly number[], whenFull: WhenFull) {
    this.#model = model;
    this.#session = session;
    this.#ids = [...prompt];
    this.#whenFull = whenFull;
  }

  /** Opens a session for `prompt`, ids without the begin token, that `checkPrompt` let through. */
  static async open(model: LanguageModel, prompt: readonly number[], whenFull: WhenFull): Promise<Context> {
    return new Context(model, await model.open(), prompt, whenFull);
  }

  /** Whether another id still fits. */
  get hasRoom(): boolean {
    return this.#whenFull === 'slide' || this.#begin.length + this.#ids.length < this.#model.contextLength;
  }

  /** Appends a generated id. */
  push(id: number): void {
    this.#ids.push(id);
  }

  /** The logits after the last id, f32[V]. */
  async logits(signal: AbortSignal | undefined): Promise<Float32Array> {
    const window = this.#window();
    if (window.length < this.#begin.length + this.#ids.length) {
      await this.#session.truncate(Math.min(this.#begin.length, this.#session.length));
    }
    return logitsAfter(this.#session, window, this.#breather, signal);
  }

  /**
   * Takes in all but the last of the ids, which fit, and shows `look` the logits before each that has any: with its index
   * among the ids, f32[V].
   */
  async walk(signal: AbortSignal | undefined, look: LookAtLogits): Promise<void> {
    const ids = [...this.#begin, ...this.#ids];
    const from = 1 - this.#begin.length;
    await walk(this.#session, ids.slice(0, -1), this.#breather, signal, (i, logits) => look(i + from, logits));
  }

  async close(): Promise<void> {
    await this.#session.close?.();
  }

  get #begin(): readonly number[] {
    return this.#model.beginId === undefined ? [] : [this.#model.beginId];
  }

  /** The begin token and the last ids that fit behind it. */
  #window(): number[] {
    const room = this.#model.contextLength - this.#begin.length;
    return [...this.#begin, ...this.#ids.slice(Math.max(0, this.#ids.length - room))];
  }
}
