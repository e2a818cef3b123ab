/**
 * The target's session: everything accepted but the last id, and while a block is verified, the draft behind it.
 *
 * A session that gives the logits after each id is asked once for a block, and forgets what was rejected. One without
 * `appendEach` is asked one id at a time, and so never for an id that was rejected.
 */
import type { LanguageModel, ModelSession } from '../../model/language-model.js';
import { breathe } from '../session/breathe.js';
import { catchUp } from '../session/catch-up.js';
import type { DraftToken } from './draft.js';

export class Target {
  readonly #contextLength: number;
  readonly #session: ModelSession;
  readonly #onCall: () => void;
  /** The begin token, the prompt and what was accepted. */
  readonly #ids: number[];
  /** The last accepted id and the draft. */
  #block: readonly number[] = [];
  /** The logits after each of them, where they came at once. */
  #rows: readonly Float32Array[] | undefined;

  private constructor(model: LanguageModel, session: ModelSession, prompt: readonly number[], onCall: () => void) {
    this.#contextLength = model.contextLength;
    this.#session = session;
    this.#onCall = onCall;
    this.#ids = [...(model.beginId === undefined ? [] : [model.beginId]), ...prompt];
  }

  /** @param onCall called with each call for a block */
  static async open(model: LanguageModel, prompt: readonly number[], onCall: () => void): Promise<Target> {
    return new Target(model, await model.open(), prompt, onCall);
  }

  /** How many ids still fit into the context. */
  get room(): number {
    return this.#contextLength - this.#ids.length;
  }

  /** Takes in all but the last id. */
  async prefill(signal: AbortSignal | undefined): Promise<void> {
    await catchUp(this.#session, this.#ids, signal, this.#ids.length - 1);
  }

  /** Starts a block. */
  async begin(draft: readonly DraftToken[], signal: AbortSignal | undefined): Promise<void> {
    this.#block = [this.#ids.at(-1) as number, ...draft.map(({ id }) => id)];
    this.#rows = undefined;
    if (this.#session.appendEach === undefined) return;
    await breathe(signal);
    this.#onCall();
    this.#rows = await this.#session.appendEach(this.#block, signal);
  }

  /** The logits after the accepted ids and the first `index` of the draft, f32[V]; asked for in order. */
  async logits(index: number, signal: AbortSignal | undefined): Promise<Float32Array> {
    signal?.throwIfAborted();
    if (this.#rows !== undefined) return this.#rows[index] as Float32Array;
    await breathe(signal);
    this.#onCall();
    return this.#session.append(this.#block.slice(index, index + 1), signal);
  }

  /** Ends the block with the ids that it gave: what else the session took in of the draft is forgotten. */
  async end(ids: readonly number[]): Promise<void> {
    this.#ids.push(...ids);
    const known = this.#ids.length - 1;
    if (this.#session.length > known) await this.#session.truncate(known);
  }

  async close(): Promise<void> {
    await this.#session.close?.();
  }
}
