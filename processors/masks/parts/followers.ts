/**
 * The ids that come in `ids` behind what equals the last `count` ids of `suffix`, each once; none where it is shorter. Where
 * both are one list, its end itself is followed by nothing.
 */
export function followersOf(ids: readonly number[], suffix: readonly number[], count: number): number[] {
  const found = new Set<number>();
  if (suffix.length < count) return [];
  for (let at = count; at < ids.length; at++) {
    if (endsAlike(ids, at, suffix, count)) found.add(ids[at] as number);
  }
  return [...found];
}

/** Whether the `count` ids before `at` are the last of `suffix`. */
function endsAlike(ids: readonly number[], at: number, suffix: readonly number[], count: number): boolean {
  for (let i = 1; i <= count; i++) if (ids[at - i] !== suffix[suffix.length - i]) return false;
  return true;
}
