import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { InvalidValueError } from '../../src/index.js';
import { show } from '../../src/show.js';

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

/** Values that describing in full would never end, or that throw when they are looked at. */
describe('show of what cannot be shown in full (I1)', () => {
  const cycle: unknown[] = [];
  cycle.push(cycle, { cycle });
  let shared: unknown = [];
  for (let i = 0; i < 20; i++) shared = Array.from({ length: 6 }, () => shared);
  let deep: unknown = [];
  for (let i = 0; i < 9000; i++) deep = [deep];
  let deepObject: unknown = {};
  for (let i = 0; i < 9000; i++) deepObject = { a: deepObject };
  const revoked = Proxy.revocable([], {});
  revoked.revoke();
  const throwing = new Proxy({}, { getPrototypeOf: fail, ownKeys: fail, get: fail });
  const getter = Object.defineProperty({ a: 1 }, 'b', { get: fail, enumerable: true });
  const Nameless = Object.defineProperty(class {}, 'name', { get: fail });
  const Numbered = Object.defineProperty(class {}, 'name', { value: 5 });

  function fail(): never {
    throw new TypeError('not to be looked at');
  }

  it.each<[string, unknown, string]>([
    ['a cycle', cycle, `[[[[[[[[[…], {…}], { cycle: […] }], { cycle: [[…], {…}] }], { cycle: [[[…], {…}…`],
    ['9,000 arrays in one another', deep, '[[[[[[[[[…]]]]]]]]]'],
    ['9,000 objects in one another', deepObject, '{ a: { a: { a: { a: { a: { a: { a: { a: {…} } } } } } } } }'],
    [
      'a graph of 6^20 ways',
      shared,
      `[[[[[[[[[…], […], […], […], […], […]], [[…], […], […], […], […], […]], [[…], [……`,
    ],
    ['a revoked Proxy', revoked.proxy, 'a value that cannot be read'],
    ['a Proxy that throws', throwing, 'a value that cannot be read'],
    ['a getter that throws', getter, '{ a: 1, b: a value that cannot be read }'],
    ['a list with a Proxy that throws', [1, throwing], '[1, a value that cannot be read]'],
    ['a class whose name throws', Nameless, 'a value that cannot be read'],
    ['an instance of it', new Nameless(), 'a value that cannot be read'],
    ['a class whose name is no text', Numbered, 'a function (unnamed)'],
    ['an object that says it is of another class', { constructor: { name: 7n } }, '{ constructor: { name: 7n } }'],
    [
      'an array of 2^32 - 1 holes',
      new Array(2 ** 32 - 1),
      `[${Array(20).fill('undefined').join(', ')}`.slice(0, 79).concat('…'),
    ],
    ['a bigint of a million digits', 1n << 3_300_000n, 'a bigint of over 80 digits'],
    ['a symbol with a long name', Symbol('x'.repeat(1e6)), `Symbol(${'x'.repeat(72)}…`],
    [
      'a function with a long name',
      Object.defineProperty(() => 1, 'name', { value: 'x'.repeat(1e6) }),
      `a function (${'x'.repeat(67)}…`,
    ],
    ['a key of a million letters', { ['x'.repeat(1e6)]: 1 }, `{ ${'x'.repeat(77)}…`],
    ['Math', Math, 'a Math'],
    ['a promise', Promise.resolve(1), 'a Promise'],
    ['an array of another realm', runInNewContext('[1, 2]'), '[1, 2]'],
    ['an object of another realm', runInNewContext('({ a: 1 })'), '{ a: 1 }'],
    ['a typed array of another realm', runInNewContext('new Float32Array(3)'), 'Float32Array(3)'],
    [
      'a typed array with another length',
      Object.defineProperty(new Int8Array(3), 'length', { get: fail }),
      'Int8Array(3)',
    ],
  ])('shows %s', (_, value, text) => {
    expect(show(value)).toBe(text);
  });
});

describe('InvalidValueError', () => {
  it('keeps the value itself, and cuts the name of a parameter in its message (I1)', () => {
    const value: unknown[] = [];
    value.push(value);
    const name = 'x'.repeat(1e6);
    const error = new InvalidValueError('TopK', name, 'absent', value);
    expect(error.value).toBe(value);
    expect(error.parameter).toBe(name);
    expect(error.message.length).toBeLessThan(300);
  });

  it('says owner, parameter, domain and value in one sentence', () => {
    const error = new InvalidValueError('TopK', 'k', 'an integer >= 0', -1);
    expect(error.message).toBe('TopK: `k` must be an integer >= 0, got -1');
    expect(error.name).toBe('InvalidValueError');
    expect({ ...error }).toMatchObject({ owner: 'TopK', parameter: 'k', domain: 'an integer >= 0', value: -1 });
  });
});
