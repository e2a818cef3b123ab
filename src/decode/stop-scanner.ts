/**
 * Text that arrives in pieces, searched for stop strings: what may still become one is held back until it is decided.
 *
 * The stop string that is complete first ends the text, however the text is cut into pieces; of those that are complete
 * at one place, the longest.
 */

/** What a piece released. */
export interface ScanResult {
  /** Final text: no stop string begins in it. */
  readonly text: string;
  /** The stop string that ended the text; `text` goes up to just before it. */
  readonly stop?: string;
}

export class StopScanner {
  readonly #stops: readonly string[];
  #held: string;

  /**
   * @param stops non-empty strings
   * @param held what a scanner of the same strings held back, to go on from there
   */
  constructor(stops: readonly string[], held = '') {
    this.#stops = stops;
    this.#held = held;
  }

  /** The text held back: it may still become a stop string. */
  get held(): string {
    return this.#held;
  }

  /** Takes the next piece. After a `stop` in the answer, nothing more may follow. */
  push(piece: string): ScanResult {
    const text = this.#held + piece;
    const found = this.#firstComplete(text);
    if (found !== undefined) {
      this.#held = '';
      return { text: text.slice(0, found.index), stop: found.stop };
    }
    const keep = this.#undecided(text);
    this.#held = text.slice(text.length - keep);
    return { text: text.slice(0, text.length - keep) };
  }

  /** The text held back, when no more will come. */
  flush(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }

  /** The stop string that is complete first in `text`; of those that end at one place, the longest. */
  #firstComplete(text: string): { index: number; stop: string } | undefined {
    let best: { index: number; stop: string } | undefined;
    let bestEnd = Number.POSITIVE_INFINITY;
    for (const stop of this.#stops) {
      const index = text.indexOf(stop);
      const end = index + stop.length;
      if (index < 0 || end > bestEnd || (end === bestEnd && best !== undefined && index > best.index)) continue;
      best = { index, stop };
      bestEnd = end;
    }
    return best;
  }

  /** The length of the longest end of `text` that begins a stop string. */
  #undecided(text: string): number {
    let longest = 0;
    for (const stop of this.#stops) {
      for (let n = Math.min(stop.length - 1, text.length); n > longest; n--) {
        if (text.endsWith(stop.slice(0, n))) longest = n;
      }
    }
    return longest;
  }
}
