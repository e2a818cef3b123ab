/**
 * Text from bytes that come in pieces, as a streaming TextDecoder gives it, with a state that can be saved.
 */

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

export class Utf8Pieces {
  #rest: Uint8Array;

  /** @param rest bytes that came before and do not make a character yet */
  constructor(rest: ArrayLike<number> = []) {
    this.#rest = Uint8Array.from(rest);
  }

  /** The bytes that do not make a character yet, at most 3. */
  get rest(): readonly number[] {
    return [...this.#rest];
  }

  /** The characters that are whole with `bytes`; what can be no part of a character is U+FFFD. */
  push(bytes: Uint8Array): string {
    const all = new Uint8Array(this.#rest.length + bytes.length);
    all.set(this.#rest);
    all.set(bytes, this.#rest.length);
    const whole = all.length - unfinished(all);
    this.#rest = all.slice(whole);
    return DECODER.decode(all.subarray(0, whole));
  }

  /** What is left when no more bytes come: '' or U+FFFD. */
  end(): string {
    const text = DECODER.decode(this.#rest);
    this.#rest = new Uint8Array();
    return text;
  }
}

/** How many bytes at the end of `bytes` begin a character and do not end it. */
function unfinished(bytes: Uint8Array): number {
  for (let n = 1; n <= Math.min(3, bytes.length); n++) {
    const lead = bytes[bytes.length - n] as number;
    if (isContinuation(lead)) continue;
    const fits = n === 1 || secondFits(lead, bytes[bytes.length - n + 1] as number);
    return n < lengthOf(lead) && fits ? n : 0;
  }
  return 0;
}

function isContinuation(byte: number): boolean {
  return byte >= 0x80 && byte <= 0xbf;
}

/** The length of the character that begins with `lead`; 1 for a byte that begins none. */
function lengthOf(lead: number): number {
  if (lead < 0xc2 || lead > 0xf4) return 1;
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** The second byte has a smaller range where a shorter form, a surrogate or more than U+10FFFF would begin. */
function secondFits(lead: number, second: number): boolean {
  if (lead === 0xe0) return second >= 0xa0;
  if (lead === 0xed) return second <= 0x9f;
  if (lead === 0xf0) return second >= 0x90;
  return lead !== 0xf4 || second <= 0x8f;
}
