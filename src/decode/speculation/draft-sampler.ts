/**
 * Draws the tokens of a draft, each with its q, and goes back where the target went another way.
 *
 * It follows a history of its own: what was accepted and, while a draft grows, what was drafted, so that penalties and
 * steps with a state see in the draft what they would see in the text.
 */
import type { JsonValue, StepContext } from '../../../processors/contract.js';
import { CandidateSet } from '../../candidates/candidate-set.js';
import type { Logits } from '../../candidates/logits.js';
import type { ProcessorChain } from '../../chain/processor-chain.js';
import type { Numerics } from '../../numerics/numerics.js';
import { inverseCdf } from '../../sampler/inverse-cdf.js';
import { TokenHistory } from '../../sampler/token-history.js';
import { sharedLength } from '../shared-length.js';
import type { DraftRequest, DraftToken } from './draft.js';

const OWNER = 'ModelDrafter';

export class DraftSampler {
  readonly #chain: ProcessorChain;
  readonly #history: TokenHistory;
  readonly #candidates: CandidateSet;
  readonly #context: StepContext;
  readonly #drafted: number[] = [];
  /** The steps' states after what was accepted. */
  #accepted: readonly JsonValue[];

  /** Refuses a chain with a step that has a state and cannot go back to it. */
  constructor(chain: ProcessorChain, numerics: Numerics, request: DraftRequest) {
    this.#chain = chain;
    this.#history = new TokenHistory(request.prompt, [], OWNER);
    this.#candidates = new CandidateSet(numerics);
    this.#context = { history: this.#history, uniform: () => request.uniform() };
    this.#accepted = chain.save();
  }

  /** The next token of the draft: one uniform, none where a step settles it; it enters the history until `accept`. */
  draft(logits: Logits): DraftToken {
    this.#candidates.load(logits, OWNER);
    this.#history.checkWithin(logits.length, OWNER);
    this.#chain.process(this.#candidates, this.#context);
    const { settled } = this.#candidates;
    const token = settled === undefined ? this.#draw() : { id: settled };
    this.#drafted.push(token.id);
    this.#enter(token.id);
    return token;
  }

  /** Ends the draft: what of it is not the beginning of `ids` is taken back, then `ids` are the history. */
  accept(ids: readonly number[]): void {
    const same = sharedLength(this.#drafted, ids);
    const isKept = same === this.#drafted.length;
    if (!isKept) this.#takeBack();
    for (const id of isKept ? ids.slice(same) : ids) this.#enter(id);
    this.#drafted.length = 0;
    this.#accepted = this.#chain.save();
  }

  #draw(): DraftToken {
    const id = inverseCdf(this.#candidates, this.#context.uniform());
    return { id, q: this.#candidates.toProbabilities() };
  }

  #takeBack(): void {
    this.#chain.restore(this.#accepted);
    this.#history.truncate(this.#history.output.length - this.#drafted.length);
  }

  #enter(id: number): void {
    this.#chain.accept(id);
    this.#history.accept(id);
  }
}
