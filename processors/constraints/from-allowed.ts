/**
 * A constraint from a function that says which ids may come next.
 */
import { readIds } from '../../src/inputs.js';
import { isArray } from '../../src/kinds.js';
import { InvalidValueError, type JsonValue } from '../contract.js';
import type { Ids } from '../plain-ids.js';
import type { Constraint, TokenMask } from './constraint.js';

const OWNER = 'constraintFrom';

/** The ids that may come after the generated `ids`. The same ids must give the same answer; they are not to be kept. */
export type AllowedIds = (ids: readonly number[]) => Iterable<number>;

/**
 * A constraint from `allowed`. Where its answer has one of `endIds` the text is complete; after one of them nothing may
 * come. Its place is the list of the ids. An answer is asked for once a token, and only when it is needed.
 * Elsewhere: PrefixConstrainedLogitsProcessor, prefix_allowed_tokens_fn, which also hands over the prompt.
 */
export function constraintFrom(allowed: AllowedIds, endIds: Ids): Constraint {
  if (typeof allowed !== 'function') throw new InvalidValueError(OWNER, 'allowed', 'a function of the ids', allowed);
  return new AllowedConstraint(allowed, new Set(readIds(OWNER, 'endIds', endIds)));
}

class AllowedConstraint implements Constraint {
  readonly #allowed: AllowedIds;
  readonly #endIds: ReadonlySet<number>;
  #ids: number[] = [];
  /** What may come next; undefined until it is asked for. */
  #next: ReadonlySet<number> | undefined;

  constructor(allowed: AllowedIds, endIds: ReadonlySet<number>) {
    this.#allowed = allowed;
    this.#endIds = endIds;
  }

  mask(): TokenMask {
    return { allow: this.#answer() };
  }

  advance(id: number): void {
    if (this.done) throw new InvalidValueError(OWNER, 'id', 'absent after the end id', id);
    if (!this.#answer().has(id)) throw new InvalidValueError(OWNER, 'id', 'one that may come next', id);
    this.#ids.push(id);
    this.#next = undefined;
  }

  isComplete(): boolean {
    if (this.done) return true;
    const next = this.#answer();
    for (const id of this.#endIds) if (next.has(id)) return true;
    return false;
  }

  get done(): boolean {
    return this.#endIds.has(this.#ids.at(-1) as number);
  }

  save(): JsonValue {
    return [...this.#ids];
  }

  restore(state: JsonValue): void {
    if (!isArray(state)) throw new InvalidValueError(OWNER, 'state', 'an array of ids', state);
    this.#ids = readIds(OWNER, 'state', state);
    this.#next = undefined;
  }

  #answer(): ReadonlySet<number> {
    this.#next ??= this.done ? new Set() : new Set(this.#allowed(this.#ids));
    return this.#next;
  }
}
