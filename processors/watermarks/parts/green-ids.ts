/**
 * Which ids are green behind a context.
 */
import { Pcg32 } from '../../../src/random/pcg32.js';
import { mix64 } from '../../../src/random/seed.js';
import { integerFrom, numberIn } from '../../schema.js';
import * as z from '../../zod.js';

/** What the writer and the detector of a mark share. */
export const greenScheme = {
  key: numberIn('an integer in [0, 2^53)', (x) => Number.isSafeInteger(x) && x >= 0),
  ratio: z._default(
    numberIn('a number in (0, 1)', (x) => x > 0 && x < 1),
    0.25,
  ),
  width: z._default(integerFrom(1), 1),
};

const TWO_32 = 4294967296;
/** Above so many ids a jump is faster than to walk. */
const FAR = 4000;

/** The ids behind one context, from 0 up: each is green with the probability `ratio`, by one u32 of a PCG32. */
export class GreenIds {
  readonly #generator: Pcg32;
  readonly #border: number;
  #next = 0;

  /** @param context the last `width` ids, the oldest first */
  constructor(key: number, ratio: number, context: readonly number[]) {
    let seed = mix64(BigInt(key));
    for (const id of context) seed = mix64(seed + BigInt(id));
    this.#generator = new Pcg32(seed);
    this.#border = ratio * TWO_32;
  }

  /** Whether `id` is green; it must be above the last one that was asked for. */
  has(id: number): boolean {
    this.#pass(id - this.#next);
    this.#next = id + 1;
    return this.#generator.nextU32() < this.#border;
  }

  #pass(count: number): void {
    let left = count;
    if (count > FAR) {
      this.#generator.skip(Math.floor(count / 2)); // in pairs, which are uniforms
      left = count % 2;
    }
    for (; left > 0; left--) this.#generator.nextU32();
  }
}
