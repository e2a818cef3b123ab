/**
 * Text that arrives in pieces, searched for stop strings: what may still become one is held back until it is decided.
 *
 * The stop string that is complete first ends the text, however the text is cut into pieces; of those that are complete
 * at one place, the longest.
 */
import { InvalidValueError } from '../../errors.js';
import { checkName, readArray } from '../../inputs.js';

const OWNER = 'StopScanner';

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
  /** How much of the text held back was passed over: no stop string may end within it. */
  #passed: number;

  /**
   * @param stops non-empty strings
   * @param held what a scanner of the same strings held back, to go on from there
   * @param passed how much of it was passed over
   */
  constructor(stops: readonly string[], held = '', passed = 0) {
    if (typeof held !== 'string') throw new InvalidValueError(OWNER, 'held', 'a string', held);
    if (!(Number.isSafeInteger(passed) && passed >= 0 && passed <= held.length)) {
      throw new InvalidValueError(OWNER, 'passed', `an integer in [0, ${held.length}]`, passed);
    }
    this.#stops = readArray(OWNER, 'stops', 'an array of non-empty strings', stops, (stop, i) =>
      checkName(OWNER, `stops[${i}]`, stop),
    );
    this.#held = held;
    this.#passed = passed;
  }

  /** The text held back: it may still become a stop string. */
  get held(): string {
    return this.#held;
  }

  /** How much of the text held back was passed over. */
  get passed(): number {
    return this.#passed;
  }

  /** Takes a piece in which a stop string that is complete is text; it may begin in it, and end later. */
  pass(piece: string): string {
    checkPiece(piece);
    const { text } = this.#holdBack(this.#held + piece);
    this.#passed = this.#held.length;
    return text;
  }

  /** Takes the next piece. After a `stop` in the answer, nothing more may follow. */
  push(piece: string): ScanResult {
    checkPiece(piece);
    const text = this.#held + piece;
    const found = this.#firstComplete(text);
    if (found === undefined) return this.#holdBack(text);
    this.flush();
    return { text: text.slice(0, found.index), stop: found.stop };
  }

  /** The text held back, when no more will come. */
  flush(): string {
    const held = this.#held;
    this.#held = '';
    this.#passed = 0;
    return held;
  }

  /** Releases all of `text` but the end that may still become a stop string. */
  #holdBack(text: string): ScanResult {
    const final = text.length - this.#undecided(text);
    this.#held = text.slice(final);
    this.#passed = Math.max(0, this.#passed - final);
    return { text: text.slice(0, final) };
  }

  /** The stop string that is complete first in `text`; of those that end at one place, the longest. */
  #firstComplete(text: string): { index: number; stop: string } | undefined {
    let best: { index: number; stop: string } | undefined;
    let bestEnd = Number.POSITIVE_INFINITY;
    for (const stop of this.#stops) {
      const index = text.indexOf(stop, Math.max(0, this.#passed - stop.length + 1));
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

function checkPiece(piece: unknown): void {
  if (typeof piece !== 'string') throw new InvalidValueError(OWNER, 'piece', 'a string', piece);
}
