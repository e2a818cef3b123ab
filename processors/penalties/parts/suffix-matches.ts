/**
 * How far what ends earlier in a text repeats its end.
 */

/**
 * For each id that followed an earlier repeat of the end of `text[from..]`: the length of the longest such repeat, at most
 * `most` ids. Repeats may overlap the end.
 *
 * One pass by the Z algorithm over the reversed text: z[k] is how many ids the text without its last k has in common with the
 * text, from the back. Each comparison that succeeds moves `right` on, so that it takes O(window), whatever repeats.
 * Source: Gusfield 1997, "Algorithms on Strings, Trees, and Sequences", 1.4.
 */
export class SuffixMatches {
  /** For z; made larger as texts grow. It is written before it is read, and so is no state. */
  #z = new Int32Array(64);

  find(text: readonly number[], from: number, most: number): Map<number, number> {
    const size = text.length - from;
    const longest = new Map<number, number>();
    if (this.#z.length < size) this.#z = new Int32Array(2 * size);
    const z = this.#z;
    const end = text.length - 1;
    for (let k = 1, left = 0, right = 0; k < size; k++) {
      let length = k < right ? Math.min(right - k, z[k - left] as number) : 0;
      while (k + length < size && text[end - length] === text[end - k - length]) length++;
      z[k] = length;
      if (k + length > right) {
        left = k;
        right = k + length;
      }
      if (length > 0) note(longest, text[end - k + 1] as number, Math.min(length, most));
    }
    return longest;
  }
}

function note(longest: Map<number, number>, follower: number, length: number): void {
  if (length > (longest.get(follower) ?? 0)) longest.set(follower, length);
}
