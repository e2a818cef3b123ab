/**
 * From the bytes of tokens to text that is final: whole characters only, and nothing that may still become a stop string.
 */
import { type ScanResult, StopScanner } from './stop-scanner.js';
import { Utf8Pieces } from './utf8-pieces.js';

/** What a stream holds back. */
export interface HeldText {
  /** Bytes that do not make a character yet. */
  readonly bytes: readonly number[];
  /** Text that may still become a stop string. */
  readonly text: string;
  /** How much of the text was passed over: no stop string ends within it. */
  readonly passed: number;
}

export const NOTHING_HELD: HeldText = Object.freeze({ bytes: [], text: '', passed: 0 });

export class TextStream {
  readonly #pieces: Utf8Pieces;
  readonly #scanner: StopScanner;

  /**
   * @param stops non-empty strings
   * @param held what a stream with the same stop strings held back, to go on from there
   */
  constructor(stops: readonly string[], held: HeldText = NOTHING_HELD) {
    this.#pieces = new Utf8Pieces(held.bytes);
    this.#scanner = new StopScanner(stops, held.text, held.passed);
  }

  get held(): HeldText {
    return { bytes: this.#pieces.rest, text: this.#scanner.held, passed: this.#scanner.passed };
  }

  /**
   * Takes the bytes of a token. After a `stop` in the answer, nothing more may follow.
   * @param isEarly whether stop strings are still passed over
   */
  push(bytes: Uint8Array, isEarly = false): ScanResult {
    return this.#scan(this.#pieces.push(bytes), isEarly);
  }

  /** All that was held back, when no more bytes come; a character cut in half may still complete a stop string. */
  end(isEarly = false): ScanResult {
    const scan = this.#scan(this.#pieces.end(), isEarly);
    return scan.stop === undefined ? { text: scan.text + this.#scanner.flush() } : scan;
  }

  #scan(piece: string, isEarly: boolean): ScanResult {
    return isEarly ? { text: this.#scanner.pass(piece) } : this.#scanner.push(piece);
  }
}
