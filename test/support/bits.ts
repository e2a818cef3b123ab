/**
 * Doubles as bits: what two values are compared by where the spec promises them.
 */
import { expect } from 'vitest';

const view = new DataView(new ArrayBuffer(8));

/** 16 lowercase hexadecimal digits, big-endian. Every NaN gives `7ff8000000000000`. */
export function hex(x: number): string {
  view.setFloat64(0, Number.isNaN(x) ? Number.NaN : x);
  return view.getBigUint64(0).toString(16).padStart(16, '0');
}

/** The double with these 16 hexadecimal digits. */
export function fromHex(digits: string): number {
  view.setBigUint64(0, BigInt(`0x${digits}`));
  return view.getFloat64(0);
}

/** The next double above `x`, which is finite. */
export function nextUp(x: number): number {
  if (x === 0) return Number.MIN_VALUE;
  view.setFloat64(0, x);
  view.setBigUint64(0, view.getBigUint64(0) + (x > 0 ? 1n : -1n));
  return view.getFloat64(0);
}

/** The next double below `x`, which is finite. */
export function nextDown(x: number): number {
  return -nextUp(-x);
}

/** The index of the first entry whose bits differ (-0 and 0 do), -1 where there is none. */
export function firstDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const length = Math.max(a.length, b.length);
  for (let i = 0; i < length; i++) if (!Object.is(a[i], b[i])) return i;
  return -1;
}

/** Asserts that two vectors are equal bit for bit; the message names the first entry that differs. */
export function expectSameBits(actual: ArrayLike<number>, expected: ArrayLike<number>, what = 'values'): void {
  const i = firstDifference(actual, expected);
  if (i < 0) return;
  expect({ what, index: i, value: actual[i] }).toEqual({ what, index: i, value: expected[i] });
  expect.fail(`${what}[${i}]: ${actual[i]} and ${expected[i]} differ`);
}
