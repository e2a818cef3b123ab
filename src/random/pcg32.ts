/**
 * PCG32: PCG-XSH-RR with 64 bits of state and 32 bits of output.
 *
 * The state is two 32-bit halves and `Math.imul` does the products: no BigInt and no allocation in a draw.
 * Source: O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random Number
 * Generation", 2014; docs/SPEC.md, "PCG32 and streams". Skipping: Brown, "Random Number Generation with Arbitrary
 * Strides", 1994.
 */
import { InvalidValueError } from '../errors.js';
import { readable } from '../inputs.js';
import { isArray, isPlainObject, typedArrayName } from '../kinds.js';
import { childSeed, MASK_64, PURPOSES, type Purpose, type Seed, seedToBigInt } from './seed.js';

/** Anything that gives uniforms on [0, 1): PCG32, or a scripted source in a test. */
export interface UniformSource {
  /** The next uniform on [0, 1). */
  uniform(): number;
}

/** A generator's position, as JSON: two unsigned 64-bit integers in 16 hexadecimal digits. */
export interface Pcg32State {
  readonly state: string;
  readonly inc: string;
}

const MULTIPLIER = 6364136223846793005n;
const MULTIPLIER_HI = 0x5851f42d;
const MULTIPLIER_LO = 0x4c957f2d;
const DEFAULT_SEQUENCE = 54;
const TWO_32 = 4294967296;
const TWO_26 = 67108864;
const TWO_MINUS_53 = 1 / 9007199254740992;
const HEX_64 = /^[0-9a-f]{16}$/;

export class Pcg32 implements UniformSource {
  #hi = 0;
  #lo = 0;
  #incHi: number;
  #incLo: number;

  /**
   * @param seed any u64
   * @param sequence any u64; generators with different sequences give different streams for one seed. Default 54
   */
  constructor(seed: Seed, sequence: Seed = DEFAULT_SEQUENCE) {
    const start = seedToBigInt(seed, 'Pcg32');
    const inc = ((seedToBigInt(sequence, 'Pcg32', 'sequence') << 1n) | 1n) & MASK_64;
    this.#incHi = Number(inc >> 32n);
    this.#incLo = Number(inc & 0xffffffffn);
    this.nextU32();
    this.#setState((this.#state() + start) & MASK_64);
    this.nextU32();
  }

  /** The next 32 bits, an unsigned integer. */
  nextU32(): number {
    const hi = this.#hi;
    const lo = this.#lo;
    const low = (Math.imul(lo, MULTIPLIER_LO) >>> 0) + this.#incLo;
    const cross = Math.imul(hi, MULTIPLIER_LO) + Math.imul(lo, MULTIPLIER_HI);
    this.#hi = (multiplyHigh(lo, MULTIPLIER_LO) + cross + this.#incHi + (low >= TWO_32 ? 1 : 0)) >>> 0;
    this.#lo = low >>> 0;
    const mixedHi = hi ^ (hi >>> 18);
    const mixedLo = lo ^ ((lo >>> 18) | (hi << 14));
    const word = (mixedHi << 5) | (mixedLo >>> 27);
    const rotation = hi >>> 27;
    return ((word >>> rotation) | (word << (-rotation & 31))) >>> 0;
  }

  /** A uniform on [0, 1) with 53 bits: two outputs, 27 bits of the first and 26 of the second. */
  uniform(): number {
    const a = this.nextU32() >>> 5;
    const b = this.nextU32() >>> 6;
    return (a * TWO_26 + b) * TWO_MINUS_53;
  }

  /** A uniform integer in [0, n), 1 <= n <= 2^32, by rejection: without bias, one output in the usual case. */
  below(n: number): number {
    if (!(Number.isInteger(n) && n >= 1 && n <= TWO_32)) {
      throw new InvalidValueError('Pcg32.below', 'n', 'an integer in [1, 2^32]', n);
    }
    const threshold = (TWO_32 - n) % n;
    for (;;) {
      const r = this.nextU32();
      if (r >= threshold) return r % n;
    }
  }

  /**
   * Puts `items`, an array or a typed array, in a uniformly random order, in place (Fisher and Yates, from the last index
   * down). Refuses, before anything is drawn, what cannot be written and an array that ends in a hole.
   */
  shuffle<T>(items: { [index: number]: T; readonly length: number }): void {
    checkItems(items);
    for (let i = items.length - 1; i >= 1; i--) {
      const j = this.below(i + 1);
      const item = items[i] as T;
      items[i] = items[j] as T;
      items[j] = item;
    }
  }

  /** Moves `count` uniforms on (two outputs each) without drawing them; backwards when negative. O(log |count|). */
  skip(count: number | bigint): void {
    if (typeof count !== 'bigint' && !Number.isSafeInteger(count)) {
      throw new InvalidValueError('Pcg32.skip', 'count', 'an integer in (-2^53, 2^53) or a bigint', count);
    }
    this.#advance((2n * BigInt(count)) & MASK_64);
  }

  /** The position now; `Pcg32.restore` goes on from it. */
  save(): Pcg32State {
    return { state: hex64(this.#state()), inc: hex64((BigInt(this.#incHi) << 32n) | BigInt(this.#incLo)) };
  }

  static restore(saved: Pcg32State): Pcg32 {
    checkSaved(saved);
    const [state, inc] = readable('Pcg32.restore', 'saved', saved, () => [saved.state, saved.inc] as const).map(
      (text, i) => fromHex64(text, i === 0 ? 'state' : 'inc'),
    ) as [bigint, bigint];
    if ((inc & 1n) === 0n) throw new InvalidValueError('Pcg32.restore', 'inc', 'odd', saved.inc);
    const generator = new Pcg32(0, inc >> 1n);
    generator.#setState(state);
    return generator;
  }

  #state(): bigint {
    return (BigInt(this.#hi) << 32n) | BigInt(this.#lo);
  }

  #setState(state: bigint): void {
    this.#hi = Number(state >> 32n);
    this.#lo = Number(state & 0xffffffffn);
  }

  /** `steps` steps of state * multiplier + inc at once, by squaring. */
  #advance(steps: bigint): void {
    let multiplier = 1n;
    let plus = 0n;
    let stepMultiplier = MULTIPLIER;
    let stepPlus = (BigInt(this.#incHi) << 32n) | BigInt(this.#incLo);
    for (let left = steps; left > 0n; left >>= 1n) {
      if (left & 1n) {
        multiplier = (multiplier * stepMultiplier) & MASK_64;
        plus = (plus * stepMultiplier + stepPlus) & MASK_64;
      }
      stepPlus = ((stepMultiplier + 1n) * stepPlus) & MASK_64;
      stepMultiplier = (stepMultiplier * stepMultiplier) & MASK_64;
    }
    this.#setState((multiplier * this.#state() + plus) & MASK_64);
  }
}

/** The stream of a seed for one purpose: PCG32(child_seed(seed, p), sequence p). */
export function stream(seed: Seed, purpose: Purpose): Pcg32 {
  return new Pcg32(childSeed(seed, purpose), PURPOSES[purpose]);
}

/** The high 32 bits of the 64-bit product of two unsigned 32-bit integers. */
function multiplyHigh(a: number, b: number): number {
  const ah = a >>> 16;
  const al = a & 0xffff;
  const bh = b >>> 16;
  const bl = b & 0xffff;
  const middle = ah * bl + ((al * bl) >>> 16);
  const cross = al * bh + (middle & 0xffff);
  return ah * bh + (middle >>> 16) + (cross >>> 16); // no sum here reaches 2^32
}

function hex64(value: bigint): string {
  return value.toString(16).padStart(16, '0');
}

/** Refuses what is no position that `save` gave: another object, or one with more in it. */
function checkSaved(saved: unknown): void {
  const domain = 'a position that `save` gave: `state` and `inc`';
  if (!isPlainObject(saved)) throw new InvalidValueError('Pcg32.restore', 'saved', domain, saved);
  const keys = readable('Pcg32.restore', 'saved', saved, () => Object.keys(saved));
  const unknown = keys.find((key) => key !== 'state' && key !== 'inc');
  if (unknown !== undefined) throw new InvalidValueError('Pcg32.restore', unknown, `absent from ${domain}`, saved);
}

function checkItems(items: unknown): void {
  const isTyped = typedArrayName(items) !== undefined;
  const isWritable = isTyped || (isArray(items) && isFull(items));
  if (isWritable) return;
  throw new InvalidValueError('Pcg32.shuffle', 'items', 'an array that can be written, or a typed array', items);
}

/** Whether an array may be written, and does not end in a hole: those with thousands of millions of entries do. */
function isFull(items: readonly unknown[]): boolean {
  return readable('Pcg32.shuffle', 'items', items, () => {
    return !Object.isFrozen(items) && (items.length === 0 || Object.hasOwn(items, items.length - 1));
  });
}

function fromHex64(text: unknown, name: string): bigint {
  if (typeof text !== 'string' || !HEX_64.test(text)) {
    throw new InvalidValueError('Pcg32.restore', name, '16 hexadecimal digits', text);
  }
  return BigInt(`0x${text}`);
}
