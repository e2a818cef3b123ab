/**
 * The ids of one request as the model sees them: a session that grows by a token, and the window it keeps when full.
 */
import { InvalidValueError } from '../../errors.js';
import type { LanguageModel, ModelSession } from '../../model/language-model.js';
import { logitsAfter } from './catch-up.js';
import { withoutMiddle } from './id-list.js';
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

/** Whether another id fits behind `length` ids, the begin token not counted. */
export function hasRoom(model: LanguageModel, length: number, whenFull: WhenFull): boolean {
  return whenFull === 'slide' || length + beginOf(model).length < model.contextLength;
}

/** How many ids fit behind `length` ids, the begin token not counted. */
export function roomBehind(model: LanguageModel, length: number, whenFull: WhenFull): number {
  return whenFull === 'slide' ? Infinity : model.contextLength - beginOf(model).length - length;
}

function beginOf({ beginId }: LanguageModel): readonly number[] {
  return beginId === undefined ? [] : [beginId];
}

export class Context {
  readonly #session: ModelSession;
  readonly #contextLength: number;
  /** How many begin tokens there are: none or one. */
  readonly #begins: number;
  /** The begin token, the prompt and what was generated. */
  readonly #ids: number[];

  private constructor(model: LanguageModel, session: ModelSession, ids: Iterable<number>) {
    this.#session = session;
    this.#contextLength = model.contextLength;
    this.#ids = [...beginOf(model), ...ids];
    this.#begins = beginOf(model).length;
  }

  /** Opens a session for `ids`, without the begin token, that `checkPrompt` let through. */
  static async open(model: LanguageModel, ids: Iterable<number>): Promise<Context> {
    return new Context(model, await model.open(), ids);
  }

  /** Appends a generated id. */
  push(id: number): void {
    this.#ids.push(id);
  }

  /** The logits after the last id, f32[V]; where not all ids fit, after the begin token and the last ones. */
  async logits(signal: AbortSignal | undefined): Promise<Float32Array> {
    const left = this.#ids.length - this.#contextLength;
    if (left > 0 && this.#session.length > this.#begins) await this.#session.truncate(this.#begins);
    return logitsAfter(this.#session, withoutMiddle(this.#ids, this.#begins, left), signal);
  }

  /**
   * Takes in all but the last of the ids, which fit, and shows `look` the logits before each that has any: with its index
   * among the ids, f32[V].
   */
  async walk(signal: AbortSignal | undefined, look: LookAtLogits): Promise<void> {
    const from = 1 - this.#begins;
    await walk(this.#session, this.#ids, this.#ids.length - 1, signal, (i, logits) => look(i + from, logits));
  }

  async close(): Promise<void> {
    await this.#session.close?.();
  }
}
