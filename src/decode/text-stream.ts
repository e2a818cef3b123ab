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
}

export class TextStream {
  readonly #pieces: Utf8Pieces;
  readonly #scanner: StopScanner;

  /**
   * @param stops non-empty strings
   * @param held what a stream with the same stop strings held back, to go on from there
   */
  constructor(stops: readonly string[], held: HeldText = { bytes: [], text: '' }) {
    this.#pieces = new Utf8Pieces(held.bytes);
    this.#scanner = new StopScanner(stops, held.text);
  }

  get held(): HeldText {
    return { bytes: this.#pieces.rest, text: this.#scanner.held };
  }

  /** Takes the bytes of a token. After a `stop` in the answer, nothing more may follow. */
  push(bytes: Uint8Array): ScanResult {
    return this.#scanner.push(this.#pieces.push(bytes));
  }

  /** All that was held back, when no more bytes come; a character cut in half may still complete a stop string. */
  end(): ScanResult {
    const scan = this.#scanner.push(this.#pieces.end());
    return scan.stop === undefined ? { text: scan.text + this.#scanner.flush() } : scan;
  }
}
