/**
 * Draws the tokens of a draft, each with its q, and goes back where the target went another way.
 *
 * It follows a history of its own: what was accepted and, while a draft grows, what was drafted, so that penalties and
 * steps with a state see in the draft what they would see in the text.
 */
import type { JsonValue, StepContext } from '../../../processors/contract.js';
import type { CandidateSet } from '../../candidates/candidate-set.js';
import type { ProcessorChain } from '../../chain/processor-chain.js';
import { takeSteps } from '../../chain/step-owners.js';
import type { Logits } from '../../logits.js';
import { type Numerics, scalarNumerics } from '../../numerics/numerics.js';
import { threadLender } from '../../sampler/candidate-lender.js';
import { inverseCdf } from '../../sampler/inverse-cdf.js';
import { TokenHistory } from '../../sampler/token-history.js';
import { sharedLength } from '../session/shared-length.js';
import type { DraftRequest, DraftToken } from './draft.js';

const OWNER = 'ModelDrafter';

export class DraftSampler {
  readonly #chain: ProcessorChain;
  readonly #history: TokenHistory;
  readonly #numerics: Numerics;
  readonly #context: StepContext;
  readonly #drafted: number[] = [];
  /** The steps' states after what was accepted. */
  #accepted: readonly JsonValue[];

  /** Refuses a chain with a step that has a state and cannot go back to it, or that another request has. */
  constructor(chain: ProcessorChain, numerics: Numerics, request: DraftRequest) {
    this.#chain = chain;
    this.#history = new TokenHistory(request.prompt, [], OWNER);
    this.#numerics = numerics;
    this.#context = {
      history: this.#history,
      numerics: scalarNumerics(numerics),
      uniform: () => request.uniform(),
    };
    this.#accepted = chain.save();
    takeSteps(OWNER, chain.steps);
  }

  /** The next token of the draft: one uniform, none where a step settles it; it enters the history until `accept`. */
  draft(logits: Logits): DraftToken {
    return threadLender.lend(this.#numerics, logits, (candidates) => {
      const token = this.#sample(candidates, logits);
      this.#drafted.push(token.id);
      this.#enter(token.id, candidates);
      return token;
    });
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

  #sample(candidates: CandidateSet, logits: Logits): DraftToken {
    candidates.load(logits, OWNER);
    this.#history.checkWithin(logits.length, OWNER);
    this.#chain.process(candidates, this.#context);
    const { settled } = candidates;
    if (settled !== undefined) return { id: settled };
    const id = inverseCdf(candidates, this.#context.uniform());
    return { id, q: candidates.toProbabilities() };
  }

  #takeBack(): void {
    this.#chain.restore(this.#accepted);
    this.#history.truncate(this.#history.output.length - this.#drafted.length);
  }

  #enter(id: number, candidates?: CandidateSet): void {
    this.#chain.accept(id, candidates);
    this.#history.accept(id);
  }
}
