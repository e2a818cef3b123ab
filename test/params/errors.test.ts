import { describe, expect, it } from 'vitest';
import { show } from '../../src/errors.js';
import { InvalidValueError } from '../../src/index.js';

class Thing {}

describe('show', () => {
  it.each<[unknown, string]>([
    ['a "b"\n', '"a \\"b\\"\\n"'],
    ['', '""'],
    [5n, '5n'],
    [-0, '-0'],
    [0, '0'],
    [Number.NaN, 'NaN'],
    [-Infinity, '-Infinity'],
    [1e-7, '1e-7'],
    [true, 'true'],
    [null, 'null'],
    [undefined, 'undefined'],
    [Symbol('s'), 'Symbol(s)'],
    [[], '[]'],
    [[1, 'x', [-0]], '[1, "x", [-0]]'],
    [Array.from({ length: 20 }, () => 1), `[${Array(20).fill('1').join(', ')}]`],
    [Array.from({ length: 21 }, () => 1), `[${Array(20).fill('1').join(', ')}, …]`],
    [new Float32Array(3), 'Float32Array(3)'],
    [new DataView(new ArrayBuffer(5)), 'DataView(5)'],
    [{ a: 1, b: 'x' }, '{ a: 1, b: "x" }'],
    [new Thing(), 'a Thing'],
    [new Map(), 'a Map'],
    [Thing, 'a function (Thing)'],
    [() => 1, 'a function (unnamed)'],
    [Object.create(null), '{}'],
  ])('%o is shown as %s', (value, text) => {
    expect(show(value)).toBe(text);
  });

  it('shows eight fields of an object, and no more', () => {
    const nine = Object.fromEntries(Array.from('abcdefghi', (name) => [name, 0]));
    expect(show(nine)).toBe('{ a: 0, b: 0, c: 0, d: 0, e: 0, f: 0, g: 0, h: 0 }');
  });

  it('shows at most 80 characters', () => {
    expect(show('x'.repeat(78))).toBe(`"${'x'.repeat(78)}"`);
    const long = show('x'.repeat(79));
    expect(long).toBe(`"${'x'.repeat(78)}…`);
    expect(long).toHaveLength(80);
    expect(show('x'.repeat(1e6))).toHaveLength(80);
  });
});

describe('InvalidValueError', () => {
  it('says owner, parameter, domain and value in one sentence', () => {
    const error = new InvalidValueError('TopK', 'k', 'an integer >= 0', -1);
    expect(error.message).toBe('TopK: `k` must be an integer >= 0, got -1');
    expect(error.name).toBe('InvalidValueError');
    expect({ ...error }).toMatchObject({ owner: 'TopK', parameter: 'k', domain: 'an integer >= 0', value: -1 });
  });
});
