/**
 * Penalties of listed ids, all or none.
 */
import { type Candidates, InvalidValueError, NothingLeftError } from '../../contract.js';

/** The parameter that a refusal is of. */
export interface Blamed {
  readonly owner: string;
  readonly name: string;
  readonly value: number;
  /** In a refusal of what overflows: "large" for a penalty that divides. */
  readonly remedy?: 'small' | 'large';
}

/**
 * Sets l of each of `ids` that is in K, distinct ids, to what `adjust` makes of it; -Infinity removes it. Refused, with nothing
 * changed, where a logit would be above all finite numbers, and where no id would be left.
 */
export function adjustOrRefuse(
  candidates: Candidates,
  ids: readonly number[],
  adjust: (logit: number, id: number) => number,
  { owner, name, value, remedy = 'small' }: Blamed,
): void {
  try {
    candidates.adjustLogits(ids, (l, id) => {
      const adjusted = adjust(l, id);
      if (adjusted < Infinity) return adjusted;
      throw new InvalidValueError(owner, name, `${remedy} enough that no logit overflows`, value);
    });
  } catch (error) {
    if (!(error instanceof NothingLeftError)) throw error;
    throw new NothingLeftError(owner, name, 'such that an id is left above -Infinity', value);
  }
}
