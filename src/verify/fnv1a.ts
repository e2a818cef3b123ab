/**
 * Digests of results: FNV-1a with 64 bits, 16 hexadecimal digits.
 *
 * The prime is 2^40 + 0x1b3, so two 32-bit halves do. Source: Fowler, Noll and Vo. A digest finds differences; it is no
 * protection against someone who makes one on purpose.
 */
import { highWord, lowWord } from '../numerics/bits.js';

const PRIME_LOW = 0x1b3;
const TWO_32 = 4294967296;
const NAN_HIGH = 0x7ff80000;

/** A digest under way. */
export class Fnv1a {
  #high = 0xcbf29ce4;
  #low = 0x84222325;

  /** One byte, an integer in [0, 255]. */
  byte(value: number): void {
    const mixed = (this.#low ^ value) >>> 0;
    const low = mixed * PRIME_LOW;
    this.#high = (Math.imul(this.#high, PRIME_LOW) + (mixed << 8) + Math.floor(low / TWO_32)) >>> 0;
    this.#low = low >>> 0;
  }

  /** 32 bits, the highest byte first. */
  word(value: number): void {
    this.byte(value >>> 24);
    this.byte((value >>> 16) & 255);
    this.byte((value >>> 8) & 255);
    this.byte(value & 255);
  }

  /** A double, big-endian; every NaN counts as one. */
  double(value: number): void {
    this.word(Number.isNaN(value) ? NAN_HIGH : highWord(value));
    this.word(Number.isNaN(value) ? 0 : lowWord(value));
  }

  /** Text in ASCII. */
  text(text: string): void {
    for (let i = 0; i < text.length; i++) this.byte(text.charCodeAt(i));
  }

  hex(): string {
    return hexWord(this.#high) + hexWord(this.#low);
  }
}

export function digestDoubles(values: ArrayLike<number>): string {
  const digest = new Fnv1a();
  for (let i = 0; i < values.length; i++) digest.double(values[i] as number);
  return digest.hex();
}

/** Of text in ASCII. */
export function digestText(text: string): string {
  const digest = new Fnv1a();
  digest.text(text);
  return digest.hex();
}

export function digestBytes(bytes: ArrayLike<number>): string {
  const digest = new Fnv1a();
  for (let i = 0; i < bytes.length; i++) digest.byte(bytes[i] as number);
  return digest.hex();
}

/** A double as 16 hexadecimal digits, big-endian. Every NaN gives `7ff8000000000000`. */
export function hex(x: number): string {
  return Number.isNaN(x) ? `${hexWord(NAN_HIGH)}00000000` : hexWord(highWord(x)) + hexWord(lowWord(x));
}

function hexWord(word: number): string {
  return word.toString(16).padStart(8, '0');
}
