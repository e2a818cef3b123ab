/**
 * The loop of speculation, in tokens: draft a block, ask the target once, verify position by position.
 *
 * It ends when the context is full, or when no further token is asked for: then the rest of the block is dropped and nothing
 * is drawn for it.
 * Source: docs/SPEC.md, "Speculative decoding".
 */

import type { Tokenizer } from '../../../processors/tokenizer.js';
import type { LanguageModel } from '../../model/language-model.js';
import type { Sampler } from '../../sampler/sampler.js';
import type { EventSource } from '../run/event-source.js';
import type { TopLogprob } from '../run/events.js';
import { topLogprobs } from '../run/top-logprobs.js';
import { checkBlock, checkSession } from './check-draft.js';
import type { Drafter, DraftSession, DraftToken } from './draft.js';
import type { SpeculationCounter } from './statistics.js';
import { Target } from './target.js';
import { type Verdict, verifyChecked, verifySettled } from './verify.js';

/** A token that entered the history, with what the target says of it. */
export interface VerifiedToken {
  readonly id: number;
  /** Nats; over the whole vocabulary, after the penalties, before temperature and filters. */
  readonly logprob: number;
  /** Of the target's distribution p, in nats; 0 when greedy. */
  readonly entropy: number;
  /** With `logprobs` n > 0, as in `TokenEvent`. */
  readonly topLogprobs: readonly TopLogprob[] | undefined;
  /** Whether it was drafted, and accepted. */
  readonly isAccepted: boolean;
}

export interface SpeculationParts {
  readonly model: LanguageModel;
  readonly tokenizer: Tokenizer;
  /** The target's; its history is the text. */
  readonly sampler: Sampler;
  readonly drafter: Drafter;
  /** Ids that end the text. */
  readonly endIds: readonly number[];
  /** Ids to draft for a block, an integer >= 1. */
  readonly draftTokens: number;
  /** How many of the most likely ids to report. */
  readonly logprobs: number;
  readonly counter: SpeculationCounter;
  readonly signal: AbortSignal | undefined;
}

/** A block under way. */
interface Block {
  readonly draft: readonly DraftToken[];
  /** What it gave so far. */
  readonly ids: number[];
  /** How many ids fit. */
  readonly room: number;
  isDone: boolean;
}

export class Speculation implements EventSource<VerifiedToken> {
  readonly #parts: SpeculationParts;
  #target: Target | undefined;
  #drafts: DraftSession | undefined;
  #block: Block | undefined;
  /** The logits of the next token. */
  #logits: Float32Array | undefined;
  #isOver = false;

  constructor(parts: SpeculationParts) {
    this.#parts = parts;
  }

  /** Whether the context is full. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Waits for the target's logits of the next token, and before those of a block for its draft. */
  async prepare(): Promise<void> {
    const { signal } = this.#parts;
    signal?.throwIfAborted();
    const target = this.#target ?? (await this.#openTarget());
    if (this.#block?.isDone) await this.#endBlock(target, this.#block);
    this.#isOver = target.room === 0;
    if (this.#isOver) return;
    const drafts = this.#drafts ?? (await this.#openDrafts(target));
    this.#block ??= await this.#beginBlock(target, drafts);
    this.#logits = await target.logits(this.#block.ids.length, signal);
  }

  /** Verifies the next drafted id, or samples the token after the draft. */
  take(): VerifiedToken {
    const { draft, ids, room } = this.#block as Block;
    const logits = this.#logits as Float32Array;
    const drafted = draft[ids.length];
    const token =
      drafted === undefined ? sample(this.#parts, logits, draft.length) : verify(this.#parts, logits, drafted);
    ids.push(token.id);
    if (!token.isAccepted || ids.length === room) (this.#block as Block).isDone = true;
    return token;
  }

  /** Frees both sessions, each once. */
  async close(): Promise<void> {
    const [target, drafts] = [this.#target, this.#drafts];
    this.#target = undefined;
    this.#drafts = undefined;
    try {
      this.#parts.sampler.release();
      await drafts?.close?.();
    } finally {
      await target?.close();
    }
  }

  async #openTarget(): Promise<Target> {
    const { model, sampler, counter } = this.#parts;
    this.#target = await Target.open(model, sampler.history.prompt, () => counter.addCall());
    return this.#target;
  }

  async #openDrafts(target: Target): Promise<DraftSession> {
    const { drafter, model, sampler, endIds, signal } = this.#parts;
    const { vocabSize } = model;
    const { prompt } = sampler.history;
    const drafts = await drafter.open({ prompt, vocabSize, endIds, uniform: () => sampler.uniform() });
    this.#drafts = drafts; // closed in any case
    checkSession('Drafter', drafts);
    await target.prefill(signal);
    return drafts;
  }

  async #beginBlock(target: Target, drafts: DraftSession): Promise<Block> {
    const { draftTokens, model, counter, signal } = this.#parts;
    const { room } = target;
    const count = Math.min(draftTokens, room);
    const draft = await drafts.propose(count, signal);
    checkBlock('Drafter', draft, count, model.vocabSize);
    counter.addDraft(draft.length);
    await target.begin(draft, signal);
    return { draft, ids: [], room, isDone: false };
  }

  /** The target and the drafter go on behind the ids of the block. */
  async #endBlock(target: Target, { ids }: Block): Promise<void> {
    this.#block = undefined;
    await target.end(ids);
    await this.#drafts?.accept(ids);
  }
}

/** A drafted id, or another in its place, by what the target says with the history accepted so far. */
function verify(parts: SpeculationParts, logits: Float32Array, draft: DraftToken): VerifiedToken {
  const { sampler, counter } = parts;
  const p = sampler.distribution(logits);
  const { settled } = sampler;
  const verdict = settled === undefined ? verifyChecked(p, draft, sampler) : verifySettled(settled, draft);
  counter.addVerdict(verdict);
  const token = look(parts, verdict);
  sampler.accept(verdict.id);
  return token;
}

/** The token after a draft that was accepted in full, or that was empty. */
function sample(parts: SpeculationParts, logits: Float32Array, drafted: number): VerifiedToken {
  const { id } = parts.sampler.sample(logits);
  parts.counter.addSample(drafted);
  const token = look(parts, { id, isAccepted: false });
  parts.sampler.release(); // what there is to say was read: other requests may use the arrays
  return token;
}

function look({ sampler, tokenizer, logprobs }: SpeculationParts, { id, isAccepted }: Verdict): VerifiedToken {
  const logprob = sampler.logprob(id);
  const top = topLogprobs(sampler, tokenizer, logprobs, { id, logprob });
  return { id, logprob, entropy: sampler.entropy(), topLogprobs: top, isAccepted };
}
