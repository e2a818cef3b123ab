import { checkId } from '../../src/inputs.js';
import { type Candidates, type JsonValue, NothingLeftError } from '../contract.js';
import { checkWithin, idList, someIds } from '../masks/parts/ids.js';
import { keepPacked } from '../masks/parts/mask-keeper.js';
import { packMask } from '../masks/parts/pack-mask.js';
import { tokenizerVersion } from '../masks/parts/text-ids.js';
import { Processor, processor } from '../processor.js';
import { flag, integerFrom } from '../schema.js';
import type { Tokenizer } from '../tokenizer.js';
import { ifGiven, TOKENS } from '../tokens.js';
import * as z from '../zod.js';
import { IdMatcher } from './parts/id-matcher.js';
import { checkThinkingState, OUTSIDE, type ThinkingState } from './parts/thinking-state.js';
import { owedAfter } from './parts/utf8-owed.js';

const OWNER = 'ThinkingBudget';

export const thinkingBudgetOptions = z.strictObject({
  budget: integerFrom(0),
  begin: someIds(),
  end: someIds(),
  message: z.optional(idList()),
  begun: z._default(flag(), false),
});

/**
 * Thinking budget: ends the reasoning of a text after so many tokens.
 *
 * Where the output has the ids of `begin` in a row, reasoning begins, and with `begun` at once, for a prompt that opened it.
 * Where it has those of `end`, it ends, and may begin anew with a new budget. After `budget` ids inside, K is the next of
 * `message` and `end`, until both are there; an id that comes from elsewhere in between begins them anew, or ends the reasoning
 * where it completes `end`. With the request's tokenizer the last character is completed first. Ids, not texts, as these marks
 * are mostly special tokens. It settles nothing: a token takes its uniform like any other. Refused when the forced id was
 * removed before, and, at any token, for an id that is not below V.
 * Source: llama.cpp, common/reasoning-budget. Elsewhere: --reasoning-budget with --reasoning-budget-message,
 * thinking_token_budget of vLLM.
 * Differs from llama.cpp: the prompt is not searched; marks that overlap themselves are found.
 * Example: { "use": "thinking-budget", "budget": 512, "begin": [151667], "end": [151668] }
 */
@processor({
  name: 'thinking-budget',
  options: thinkingBudgetOptions,
  stage: 'scores',
  leavesOne: true,
  inject: [ifGiven(TOKENS.tokenizer)],
})
export class ThinkingBudget extends Processor<typeof thinkingBudgetOptions> {
  /** Whose bytes complete a character. */
  declare readonly version?: string;
  readonly #begin = new IdMatcher(this.options.begin);
  readonly #end = new IdMatcher(this.options.end);
  readonly #forced = [...(this.options.message ?? []), ...this.options.end];
  readonly #tokenizer: Tokenizer | undefined;
  #state: ThinkingState = this.options.begun ? this.#opened() : OUTSIDE;

  constructor(options: z.input<typeof thinkingBudgetOptions>, tokenizer?: Tokenizer) {
    super(options);
    this.#tokenizer = tokenizer;
    if (tokenizer !== undefined) this.version = tokenizerVersion(tokenizer);
  }

  process(candidates: Candidates): void {
    const { begin, end, message = [] } = this.options;
    const { vocabSize } = candidates;
    for (const [name, ids] of Object.entries({ begin, end, message })) checkWithin(ids, vocabSize, OWNER, name);
    const id = this.#next();
    if (id === undefined) return;
    const words = packMask({ allow: [id] }, vocabSize); // for a few tokens
    const domain = 'such that the ids that are forced are among the kept ones when the budget is spent';
    keepPacked(candidates, words, () => new NothingLeftError(OWNER, 'end', domain, id));
  }

  only(vocabSize: number): number | undefined {
    checkId(OWNER, 'vocabSize', vocabSize);
    const id = this.#next();
    return id !== undefined && id < vocabSize ? id : undefined;
  }

  accept(id: number): void {
    checkId(OWNER, 'id', id);
    this.#state = this.#after(id);
  }

  save(): JsonValue {
    return { ...this.#state };
  }

  restore(state: JsonValue): void {
    const lengths = { begin: this.#begin.length, end: this.#end.length, forced: this.#forced.length };
    this.#state = checkThinkingState(OWNER, state, lengths);
  }

  /** The id that is forced now. */
  #next(): number | undefined {
    return this.#state.phase === 'forcing' ? this.#forced[this.#state.forced] : undefined;
  }

  #opened(): ThinkingState {
    return { ...OUTSIDE, phase: this.options.budget === 0 ? 'forcing' : 'counting' };
  }

  #after(id: number): ThinkingState {
    const { phase } = this.#state;
    const mark = phase === 'outside' ? this.#begin : this.#end;
    const matched = mark.advance(this.#state.matched, id);
    if (matched === mark.length) return phase === 'outside' ? this.#opened() : OUTSIDE;
    if (phase === 'outside') return { ...OUTSIDE, matched };
    return phase === 'counting' ? this.#counted(id, matched) : this.#afterForced(id, matched);
  }

  #counted(id: number, matched: number): ThinkingState {
    const used = this.#state.used + 1;
    const owed = this.#owedAfter(id);
    const isSpent = used >= this.options.budget && owed === 0;
    return { phase: isSpent ? 'forcing' : 'counting', matched, used, owed, forced: 0 };
  }

  #afterForced(id: number, matched: number): ThinkingState {
    const isNext = id === this.#forced[this.#state.forced];
    const anew = id === this.#forced[0] ? 1 : 0;
    return { ...this.#state, matched, forced: isNext ? this.#state.forced + 1 : anew };
  }

  #owedAfter(id: number): number {
    const { owed } = this.#state;
    if (this.#tokenizer === undefined || id >= this.#tokenizer.vocabSize) return 0;
    return owedAfter(this.#tokenizer.tokenBytes(id), owed);
  }
}
