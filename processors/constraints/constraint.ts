/**
 * A constraint: one request's place in a language, such as that of a grammar, a schema or a list of words.
 */
import type { JsonValue } from '../contract.js';

/**
 * Which ids may come next, in one of the forms that constrained decoders give: a boolean for each id; packed, bit
 * `id & 31` of word `id >> 5`; a list of the ids that may come, or of those that may not.
 */
export type TokenMask =
  | readonly boolean[]
  | Int32Array
  | Uint32Array
  | { readonly allow: Iterable<number> }
  | { readonly ban: Iterable<number> };

export interface Constraint {
  /** As `version` of a step. */
  readonly version?: string;
  /**
   * Which ids may come next, the end id exactly where the text so far is complete; after the end id, none. The answer does
   * not change until `advance` or `restore`, and may be an array that is written again then.
   */
  mask(): TokenMask;
  /** Goes on by `id`. Throws InvalidValueError for an id that the mask does not allow, and after the end; then nothing moved. */
  advance(id: number): void;
  /** Whether the text so far is complete: whether the end id may come. */
  isComplete(): boolean;
  /** As `budget` of a step: how many ids may come at most, the end id not counted. */
  budget?(tokens: number): void;
  /** As `report` of a step. */
  report?(): JsonValue | undefined;
  /** Whether the end id came. */
  readonly done: boolean;
  /** The place as JSON. */
  save(): JsonValue;
  /** Goes to a place that `save` of a constraint for the same language gave. */
  restore(state: JsonValue): void;
}
