import { readable } from '../../src/inputs.js';
import type { TokenMask } from '../constraints/constraint.js';
import { type Candidates, InvalidValueError, type LogitsProcessor, NothingLeftError } from '../contract.js';
import { MaskKeeper } from './parts/mask-keeper.js';
import { checkForm } from './parts/pack-mask.js';

/**
 * Mask: keeps what a mask from outside allows, for callers that run a constrained decoder themselves.
 *
 * K = K ∩ mask. A mask holds until the next `set`, so that a token can be looked at twice, and there must be one before
 * the first token. Arrays are not copied: they are read at every token, and may be written again before the next `set`;
 * ids are copied. It is no part of a saved request: the caller that restores it sets the mask again. Refused when nothing would
 * remain, and for a mask that does not fit V.
 * Source: docs/SPEC.md, "Masks". `Constrained` asks and advances by itself.
 */
export class Mask implements LogitsProcessor {
  readonly name = 'mask';
  readonly stage = 'scores';
  readonly leavesOne = true;
  readonly #masks = new MaskKeeper('Mask');
  #mask: TokenMask | undefined;

  /** The mask of the tokens to come. */
  set(mask: TokenMask): void {
    checkForm(mask, 'Mask');
    this.#mask = readable('Mask', 'mask', mask, () => held(mask));
  }

  process(candidates: Candidates): void {
    if (this.#mask === undefined) throw new InvalidValueError('Mask', 'mask', 'set before the first token', undefined);
    this.#masks.keep(candidates, this.#mask, refusal);
  }
}

/** Ids may come from a generator, which gives them once. */
function held(mask: TokenMask): TokenMask {
  const { allow, ban } = mask as { allow?: Iterable<number>; ban?: Iterable<number> };
  if (allow !== undefined) return { allow: [...allow] };
  return ban === undefined ? mask : { ban: [...ban] };
}

function refusal(): NothingLeftError {
  return new NothingLeftError(
    'Mask',
    'mask',
    'one that allows at least one of the kept ids',
    'one that allows nothing of them',
  );
}
