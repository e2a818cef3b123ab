/**
 * The name that was most likely meant by one that is unknown.
 */

/** Longer names are no typing errors, and take time to compare. */
const LONGEST = 64;

/**
 * Of `known`, the name nearest to `name`, the first of them where several are as near; undefined where none is near. Near
 * is one slip (a letter that is missing, added, wrong, or swapped with the next) for every three letters, and for two. Capitals, `_`
 * and `-` do not count: `topP` is `top_p`.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST) return undefined;
  const wanted = letters(name);
  let nearest: string | undefined;
  let least = Math.min(wanted.length, Math.max(1, Math.floor(wanted.length / 3)) + 1);
  for (const candidate of known) {
    if (candidate.length > LONGEST) continue;
    const distance = slips(wanted, letters(candidate));
    if (distance < least) [nearest, least] = [candidate, distance];
  }
  return nearest;
}

function letters(name: string): string {
  return name.replace(/[_-]/g, '').toLowerCase();
}

/** The slips from `a` to `b`: Damerau and Levenshtein's distance, no letter being moved twice. */
function slips(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const wrong = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const ways = [(last[j] as number) + 1, (row[j - 1] as number) + 1, (last[j - 1] as number) + wrong];
      row.push(Math.min(...ways, swapped ? (before[j - 2] as number) + 1 : Number.POSITIVE_INFINITY));
    }
    [before, last] = [last, row];
  }
  return last[b.length] as number;
}
