import {
  type Candidates,
  type History,
  InvalidValueError,
  type LogitsProcessor,
  NothingLeftError,
} from '../contract.js';
import { MaskKeeper } from '../masks/parts/mask-keeper.js';

const OWNER = 'PrefixAllowedTokens';

/** The ids that may come after `history`, which is to be read only. The same history must give the same ids. */
export type AllowedAfter = (history: History) => Iterable<number>;

/**
 * Prefix-allowed tokens: keeps the ids that a function of the history gives, for every token.
 *
 * K = K ∩ allowed(history), asked anew for each token, and again where a token is looked at twice. It has no state: the ids come
 * from the history alone, prompt and output. As a function is no JSON, it is made by hand, and a restored request is given it
 * anew. Refused when nothing would remain, and for an id outside [0, V).
 * Source: Hugging Face, PrefixConstrainedLogitsProcessor, prefix_allowed_tokens_fn; De Cao et al. 2020, arXiv 2010.00904.
 * Differs from Hugging Face: the function is given the history, not the number of the row. `constraintFrom` makes a constraint
 * of such a function, which knows where a text is complete.
 */
export class PrefixAllowedTokens implements LogitsProcessor {
  readonly name = 'prefix-allowed-tokens';
  readonly stage = 'scores';
  readonly leavesOne = true;
  readonly #allowed: AllowedAfter;
  readonly #masks = new MaskKeeper(OWNER);

  constructor(allowed: AllowedAfter) {
    if (typeof allowed !== 'function') {
      throw new InvalidValueError(OWNER, 'allowed', 'a function of the history', allowed);
    }
    this.#allowed = allowed;
  }

  process(candidates: Candidates, { history }: { readonly history: History }): void {
    this.#masks.keep(candidates, { allow: this.#allowed(history) }, refusal);
  }
}

function refusal(): NothingLeftError {
  return new NothingLeftError(OWNER, 'allowed', 'a function that allows at least one of the kept ids', 'none of them');
}
