import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromWords, HIGH, highWord, LOW, lowWord, powerOfTwo } from '../../src/numerics/bits.js';
import { integerRoot, nearestShift, ONE, POINT, toDouble } from '../../src/numerics/fixed-point.js';
import { engineNumerics, exactNumerics, exp, log, log2, pow } from '../../src/numerics/index.js';
import { cosine, sine } from '../../src/numerics/sincos.js';
import { hex } from '../support/bits.js';

describe('bits', () => {
  it.each([
    { x: 1, high: 0x3ff00000, low: 0 },
    { x: -2, high: 0xc0000000, low: 0 },
    { x: 0, high: 0, low: 0 },
    { x: -0, high: 0x80000000, low: 0 },
    { x: 5e-324, high: 0, low: 1 },
    { x: 0.1, high: 0x3fb99999, low: 0x9999999a },
    { x: Infinity, high: 0x7ff00000, low: 0 },
  ])('$x has the halves $high and $low', ({ x, high, low }) => {
    expect([highWord(x), lowWord(x)]).toEqual([high, low]);
    expect(fromWords(high, low)).toBe(x);
  });

  it('takes any double apart and together', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (x) => {
        expect(fromWords(highWord(x), lowWord(x))).toBe(x);
      }),
    );
  });

  it('knows which half of a double comes first', () => {
    const words = new Uint32Array(new Float64Array([-2]).buffer);
    expect(words[HIGH]).toBe(0xc0000000);
    expect(words[LOW]).toBe(0);
  });

  it.each([-1022, -1021, -1, 0, 1, 52, 1023])('has 2^%i', (e) => {
    expect(powerOfTwo(e)).toBe(2 ** e);
  });
});

describe('fixed point', () => {
  it.each([1n, 2n, 3n, 4n, 8n, 15n, 16n, 17n, 10n ** 40n, 10n ** 40n - 1n, 2n ** 641n])('has the root of %s', (n) => {
    const root = integerRoot(n);
    expect(root * root <= n).toBe(true);
    expect((root + 1n) * (root + 1n) > n).toBe(true);
  });

  it.each([
    { n: 0n, bits: 3n, nearest: 0n },
    { n: 11n, bits: 3n, nearest: 1n },
    { n: 12n, bits: 3n, nearest: 2n },
    { n: 13n, bits: 3n, nearest: 2n },
    { n: 1n, bits: 1n, nearest: 1n },
  ])('rounds $n / 2^$bits to $nearest', ({ n, bits, nearest }) => {
    expect(nearestShift(n, bits)).toBe(nearest);
  });

  it.each([
    { n: 0n, x: 0 },
    { n: ONE, x: 1 },
    { n: -ONE, x: -1 },
    { n: 3n * ONE + (ONE >> 1n), x: 3.5 },
    { n: ONE / 3n, x: 1 / 3 },
    { n: -ONE / 10n, x: -0.1 },
    { n: (ONE << 60n) + ONE, x: 2 ** 60 },
    { n: 1n << (POINT - 260n), x: 2 ** -260 },
    { n: ONE + (ONE >> 52n) + (ONE >> 54n), x: 1 + 2 ** -52 },
    { n: ONE + (ONE >> 52n) + (ONE >> 54n) + (ONE >> 53n), x: 1 + 2 ** -51 },
  ])('gives the double nearest to a fixed-point number: $x', ({ n, x }) => {
    expect(toDouble(n)).toBe(x);
  });
});

describe('sin and cos', () => {
  it.each([
    { x: 0, s: 0, c: 1 },
    { x: 5e-324, s: 0, c: 1 },
    { x: 1e-9, s: 1e-9, c: 1 },
    { x: 1, s: 0.8414709848078965, c: 0.5403023058681398 },
    { x: Math.PI / 2, s: 1, c: 6.123233995736766e-17 },
    { x: Math.PI, s: 1.2246467991473532e-16, c: -1 },
    { x: 4, s: -0.7568024953079282, c: -0.6536436208636119 },
    { x: 2 * Math.PI, s: -2.4492935982947064e-16, c: 1 },
    { x: 7.9, s: 0.998941341839772, c: -0.04600212563953695 },
  ])('at $x are $s and $c', ({ x, s, c }) => {
    expect(sine(x)).toBe(s);
    expect(cosine(x)).toBe(c);
  });
});

describe.each([
  { numerics: exactNumerics, name: 'exact', e: exp, l: log, p: pow, l2: log2 },
  { numerics: engineNumerics, name: 'engine', e: Math.exp, l: Math.log, p: Math.pow, l2: Math.log2 },
])('the $name numerics', ({ numerics, name, e, l, p, l2 }) => {
  it('have their name, their exp and their log, and cannot be changed', () => {
    expect(numerics.name).toBe(name);
    for (const x of [0, -0.3, -1.7, -700, 0.3]) expect(hex(numerics.exp(x))).toBe(hex(e(x)));
    for (const x of [1, 1.3, 2.52153, 50257]) expect(hex(numerics.log(x))).toBe(hex(l(x)));
    for (const x of [1.3, 0.07, 50257]) {
      expect(hex(numerics.pow(x, 1.7))).toBe(hex(p(x, 1.7)));
      expect(hex(numerics.log2(x))).toBe(hex(l2(x)));
      expect(numerics.sqrt(x)).toBe(Math.sqrt(x));
    }
    expect(Object.isFrozen(numerics)).toBe(true);
  });

  it('write each exp and give their sum, added in order', () => {
    const logits = Float64Array.of(1, 3, -Infinity, 2.2, 9);
    const exps = new Float64Array(6).fill(-7);
    const sum = numerics.expSum(logits, 4, 3, exps);
    expect(exps).toEqual(Float64Array.of(e(-2), 1, 0, e(2.2 - 3), -7, -7));
    expect(sum).toBe(e(-2) + 1 + 0 + e(2.2 - 3));
  });

  it('have the sum 0 over nothing', () => {
    expect(numerics.expSum(Float64Array.of(1), 0, 1, new Float64Array(1))).toBe(0);
  });
});
