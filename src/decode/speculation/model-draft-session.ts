/**
 * A draft model at work on one request: its session holds the accepted ids and, while a draft grows, the drafted ones.
 */
import type { LanguageModel, ModelSession } from '../../model/language-model.js';
import { logitsAfter } from '../session/catch-up.js';
import { sharedLength } from '../session/shared-length.js';
import type { DraftRequest, DraftSession, DraftToken } from './draft.js';
import type { DraftSampler } from './draft-sampler.js';

export class ModelDraftSession implements DraftSession {
  readonly #model: LanguageModel;
  readonly #session: ModelSession;
  readonly #sampler: DraftSampler;
  readonly #endIds: ReadonlySet<number>;
  /** The begin token, the prompt, what was accepted and behind it the draft. */
  readonly #ids: number[];
  /** How many of them are not of the draft. */
  #accepted: number;

  constructor(model: LanguageModel, session: ModelSession, sampler: DraftSampler, request: DraftRequest) {
    this.#model = model;
    this.#session = session;
    this.#sampler = sampler;
    this.#endIds = new Set([...model.endIds, ...request.endIds]);
    this.#ids = [...(model.beginId === undefined ? [] : [model.beginId]), ...request.prompt];
    this.#accepted = this.#ids.length;
  }

  /** Fewer than `count` where an end id was drafted or the draft model's context is full. */
  async propose(count: number, signal?: AbortSignal): Promise<DraftToken[]> {
    const draft: DraftToken[] = [];
    while (draft.length < count && this.#ids.length <= this.#model.contextLength) {
      const token = this.#sampler.draft(await logitsAfter(this.#session, this.#ids, signal));
      draft.push(token);
      this.#ids.push(token.id);
      if (this.#endIds.has(token.id)) break;
    }
    return draft;
  }

  async accept(ids: readonly number[]): Promise<void> {
    const kept = this.#accepted + sharedLength(this.#ids.slice(this.#accepted), ids);
    this.#sampler.accept(ids);
    this.#ids.length = this.#accepted;
    this.#ids.push(...ids);
    this.#accepted = this.#ids.length;
    if (this.#session.length > kept) await this.#session.truncate(kept);
  }

  async close(): Promise<void> {
    await this.#session.close?.();
  }
}
