/** No passage counts as longer: what is so long is a repetition anyway, and powers stay small. */
const LONGEST = 50;

/**
 * How long a passage each id would go on with: by id, how many of the last ids stand before an earlier occurrence of it, counted
 * backwards to a breaker. Only the newest `window` of `ids` count, all where it is 0. A breaker is never gone on with.
 */
export function continuations(
  ids: readonly number[],
  window: number,
  breakers: ReadonlySet<number>,
): Map<number, number> {
  const found = new Map<number, number>();
  const begin = window === 0 ? 0 : Math.max(ids.length - window, 0);
  const end = ids.length - 1;
  const last = ids[end];
  if (last === undefined || breakers.has(last)) return found;
  for (let at = begin; at < end; at++) {
    if (ids[at] !== last) continue;
    const next = ids[at + 1] as number;
    if (breakers.has(next)) continue;
    const length = lengthOfMatch(ids, begin, at, breakers);
    if (length > (found.get(next) ?? 0)) found.set(next, length);
  }
  return found;
}

/** How many ids up to `at` equal the last ones. */
function lengthOfMatch(ids: readonly number[], begin: number, at: number, breakers: ReadonlySet<number>): number {
  const end = ids.length - 1;
  let length = 1;
  while (length < LONGEST && at - length >= begin) {
    const id = ids[at - length] as number;
    if (id !== ids[end - length] || breakers.has(id)) break;
    length++;
  }
  return length;
}
