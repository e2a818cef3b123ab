/**
 * What came after the last ids before: the ids that would repeat an n-gram.
 */

/**
 * The ids of `ids` that stand behind an occurrence of the last `count` ids of `text`, each once; none where `text` has fewer.
 * With `count` 0 these are all of `ids`.
 */
export function followers(ids: readonly number[], text: readonly number[], count: number): number[] {
  const found = new Set<number>();
  if (text.length < count) return [];
  for (let at = count; at < ids.length; at++) {
    if (endsAlike(ids, at, text, count)) found.add(ids[at] as number);
  }
  return [...found];
}

/** Whether the `count` ids in front of place `at` of `ids` are the last ones of `text`. */
function endsAlike(ids: readonly number[], at: number, text: readonly number[], count: number): boolean {
  for (let i = 1; i <= count; i++) if (ids[at - i] !== text[text.length - i]) return false;
  return true;
}
