/**
 * The loop of speculation, in tokens: draft a block, ask the target once, verify position by position.
 *
 * It goes on until the context is full, or until nobody asks for the next token: then the rest of the block is dropped
 * and nothing is drawn for it.
 * Source: SPEC.md, "Speculative decoding".
 */
import type { LanguageModel } from '../../model/language-model.js';
import type { Tokenizer } from '../../model/tokenizer.js';
import type { Sampler } from '../../sampler/sampler.js';
import type { TopLogprob } from '../events.js';
import { topLogprobs } from '../top-logprobs.js';
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

export async function* speculate(parts: SpeculationParts): AsyncGenerator<VerifiedToken, void, undefined> {
  const { model, sampler, counter, signal } = parts;
  const { prompt } = sampler.history;
  signal?.throwIfAborted();
  const target = await Target.open(model, prompt, () => counter.addCall());
  try {
    if (target.room === 0) return;
    const { vocabSize } = model;
    const drafts = await parts.drafter.open({
      prompt,
      vocabSize,
      endIds: parts.endIds,
      uniform: () => sampler.uniform(),
    });
    checkSession('Drafter', drafts);
    try {
      await target.prefill(signal);
      while (target.room > 0) yield* block(parts, target, drafts);
    } finally {
      await drafts.close?.();
    }
  } finally {
    sampler.release();
    await target.close();
  }
}

/** One block: the accepted ids of a draft and the token after them. */
async function* block(
  parts: SpeculationParts,
  target: Target,
  drafts: DraftSession,
): AsyncGenerator<VerifiedToken, void, undefined> {
  const { counter, signal } = parts;
  const { room } = target;
  const count = Math.min(parts.draftTokens, room);
  const draft = await drafts.propose(count, signal);
  checkBlock('Drafter', draft, count, parts.model.vocabSize);
  counter.addDraft(draft.length);
  await target.begin(draft, signal);
  const ids: number[] = [];
  while (ids.length < room) {
    const drafted = draft[ids.length];
    const logits = await target.logits(ids.length, signal);
    const token = drafted === undefined ? sample(parts, logits, draft.length) : verify(parts, logits, drafted);
    ids.push(token.id);
    yield token;
    if (!token.isAccepted) break;
  }
  await target.end(ids);
  await drafts.accept(ids);
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
