/**
 * SHA-256, of bytes and of texts.
 *
 * Source: FIPS 180-4, sections 4.1.2, 4.2.2, 5 and 6.2.
 */

/** Bytes in a block. */
const BLOCK = 64;

/** The first 32 bits behind the point of the square roots of the first eight primes. */
// biome-ignore format: four a line
const INITIAL = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

/** The first 32 bits behind the point of the cube roots of the first 64 primes. */
// biome-ignore format: eight a line
const K = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];

/** SHA-256 of `parts` one after the other, texts in UTF-8: 64 hexadecimal digits. */
export function sha256(...parts: readonly (string | Uint8Array)[]): string {
  const hash = new Sha256();
  for (const part of parts) hash.update(typeof part === 'string' ? new TextEncoder().encode(part) : part);
  return hash.digest();
}

class Sha256 {
  readonly #state = Int32Array.from(INITIAL);
  /** W: the words of a block, and those that are made of them. */
  readonly #words = new Int32Array(BLOCK);
  /** The bytes that do not fill a block yet. */
  readonly #rest = new Uint8Array(BLOCK);
  #filled = 0;
  #length = 0;

  update(bytes: Uint8Array): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let at = 0;
    while (at < bytes.length) {
      if (this.#filled === 0 && at + BLOCK <= bytes.length) {
        this.#compress(view, at);
        at += BLOCK;
      } else {
        at += this.#keep(bytes.subarray(at, at + BLOCK - this.#filled));
      }
    }
    this.#length += bytes.length;
  }

  /** A one, zeros, and the number of bits as 64 bits: to the end of a block. */
  digest(): string {
    const padding = new Uint8Array((this.#filled < BLOCK - 8 ? BLOCK : 2 * BLOCK) - this.#filled);
    const view = new DataView(padding.buffer);
    padding[0] = 0x80;
    view.setUint32(padding.length - 8, this.#length / 0x20000000, false);
    view.setUint32(padding.length - 4, this.#length << 3, false);
    this.update(padding);
    return Array.from(this.#state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
  }

  /** Adds what fits into the block under way: how many bytes. */
  #keep(bytes: Uint8Array): number {
    this.#rest.set(bytes, this.#filled);
    this.#filled += bytes.length;
    if (this.#filled === BLOCK) {
      this.#compress(new DataView(this.#rest.buffer), 0);
      this.#filled = 0;
    }
    return bytes.length;
  }

  #compress(view: DataView, at: number): void {
    this.#expand(view, at);
    const state = this.#state;
    let [a, b, c, d, e, f, g, h] = state as unknown as [
      ...[number, number, number, number],
      ...[number, number, number, number],
    ];
    for (let t = 0; t < BLOCK; t++) {
      const choice = (e & f) ^ (~e & g);
      const majority = (a & b) ^ (a & c) ^ (b & c);
      const sum = (K[t] as number) + (this.#words[t] as number);
      const t1 = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + sum) | 0;
      const t2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => {
      state[i] = (state[i] as number) + word;
    });
  }

  #expand(view: DataView, at: number): void {
    const words = this.#words;
    for (let t = 0; t < 16; t++) words[t] = view.getInt32(at + 4 * t, false);
    for (let t = 16; t < BLOCK; t++) {
      const near = words[t - 2] as number;
      const far = words[t - 15] as number;
      const sigmas = (turn(near, 17) ^ turn(near, 19) ^ (near >>> 10)) + (turn(far, 7) ^ turn(far, 18) ^ (far >>> 3));
      words[t] = sigmas + (words[t - 7] as number) + (words[t - 16] as number);
    }
  }
}

/** The 32 bits of `word`, turned right. */
function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
