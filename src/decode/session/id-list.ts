/**
 * The ids that a session is to hold, of which only those that it lacks are looked at.
 */

/** An array of ids, or what of it a model sees. */
export interface IdList {
  readonly length: number;
  /** The ids from index `from` up to `to`, in [0, length]. */
  slice(from: number, to: number): readonly number[];
}

/** `ids` without the `left` ids behind the first `kept`; it follows `ids` as they grow, and copies nothing. */
export function withoutMiddle(ids: readonly number[], kept: number, left: number): IdList {
  if (left <= 0) return ids;
  return {
    length: ids.length - left,
    slice: (from, to) => [
      ...ids.slice(from, Math.min(to, kept)),
      ...ids.slice(Math.max(from, kept) + left, Math.max(to, kept) + left),
    ],
  };
}
