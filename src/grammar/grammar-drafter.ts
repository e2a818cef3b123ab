/**
 * Drafts from a grammar: the ids of what every text must go on with.
 *
 * Bytes that are forced are cut into ids as the tokenizer cuts them, without the last one, which may join with what comes
 * after; where one id is left, it is the draft. Deterministic: q is one-hot and nothing is drawn, so the output follows the
 * target in any case; with a target that the same grammar holds, most of it is accepted.
 * Elsewhere: fast-forward tokens, jump-forward decoding.
 */
import { onlyAllowed } from '../../processors/masks/parts/only-allowed.js';
import type { Tokenizer } from '../../processors/tokenizer.js';
import {
  checkDraftRequest,
  type Drafter,
  type DraftRequest,
  type DraftSession,
  type DraftToken,
} from '../decode/speculation/draft.js';
import { InvalidValueError } from '../errors.js';
import { hasFunction, isInstance } from '../kinds.js';
import { Grammar } from './grammar.js';
import type { GrammarConstraint } from './grammar-constraint.js';

const OWNER = 'GrammarDrafter';

export class GrammarDrafter implements Drafter {
  readonly #grammar: Grammar;
  readonly #tokenizer: Tokenizer;

  /**
   * @param grammar over the ids of the target; serves any number of requests
   * @param tokenizer the target's
   */
  constructor(grammar: Grammar, tokenizer: Tokenizer) {
    if (!isInstance(grammar, Grammar)) throw new InvalidValueError(OWNER, 'grammar', 'a Grammar', grammar);
    if (!(hasFunction(tokenizer, 'encode') && hasFunction(tokenizer, 'tokenBytes'))) {
      throw new InvalidValueError(OWNER, 'tokenizer', 'a Tokenizer (with `encode`, `tokenBytes`, …)', tokenizer);
    }
    this.#grammar = grammar;
    this.#tokenizer = tokenizer;
  }

  open(request: DraftRequest): DraftSession {
    const { vocabSize } = checkDraftRequest(OWNER, request);
    return new GrammarDraftSession(this.#grammar.constraint(), this.#tokenizer, vocabSize);
  }
}

class GrammarDraftSession implements DraftSession {
  readonly #constraint: GrammarConstraint;
  readonly #tokenizer: Tokenizer;
  readonly #vocabSize: number;
  /** Whether the text left the grammar: then nothing is known of it. */
  #isLost = false;

  constructor(constraint: GrammarConstraint, tokenizer: Tokenizer, vocabSize: number) {
    this.#constraint = constraint;
    this.#tokenizer = tokenizer;
    this.#vocabSize = vocabSize;
  }

  propose(count: number): DraftToken[] {
    if (this.#isLost) return [];
    const place = this.#constraint.save();
    const draft: number[] = [];
    while (draft.length < count && !this.#constraint.done) {
      const next = this.#forced().slice(0, count - draft.length);
      if (next.length === 0) break;
      for (const id of next) this.#constraint.advance(id);
      draft.push(...next);
    }
    this.#constraint.restore(place);
    return draft.map((id) => ({ id }));
  }

  accept(ids: readonly number[]): void {
    try {
      for (const id of ids) if (!this.#isLost) this.#constraint.advance(id);
    } catch (error) {
      if (!(error instanceof InvalidValueError)) throw error;
      this.#isLost = true;
    }
  }

  close(): void {
    this.#constraint.dispose();
  }

  /** Ids that are forced from here; none where there is a choice. */
  #forced(): readonly number[] {
    const only = onlyAllowed(this.#constraint.mask(), this.#vocabSize);
    return only === undefined ? this.#cut(this.#constraint.forcedBytes()) : [only];
  }

  /** The ids of `bytes` but the last, as far as they stand for them. */
  #cut(bytes: Uint8Array): readonly number[] {
    if (bytes.length === 0) return [];
    const ids = Array.from(this.#tokenizer.encode(new TextDecoder().decode(bytes))).slice(0, -1);
    let end = 0;
    const wrong = ids.findIndex((id) => {
      const token = this.#tokenizer.tokenBytes(id);
      const fits = token.length > 0 && token.every((byte, i) => byte === bytes[end + i]);
      end += token.length;
      return !fits;
    });
    return wrong < 0 ? ids : ids.slice(0, wrong);
  }
}
