/**
 * Values that hardly anybody means: of every kind, of other realms, without end, and such as throw when they are looked at.
 * Each is made anew for every call. A table says by name which of them a parameter takes, and why.
 */
import { runInNewContext } from 'node:vm';

export interface BadValue {
  readonly name: string;
  readonly make: () => unknown;
}

class Instance {
  readonly field = 1;
}

function fail(): never {
  throw new TypeError('this value is not to be looked at');
}

const THROWING: ProxyHandler<object> = {
  get: fail,
  has: fail,
  ownKeys: fail,
  getPrototypeOf: fail,
  getOwnPropertyDescriptor: fail,
};

function revoked(target: object): unknown {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

function cyclicArray(): unknown {
  const array: unknown[] = [];
  array.push(array);
  return array;
}

function cyclicObject(): unknown {
  const object: Record<string, unknown> = {};
  object.self = object;
  return object;
}

function nested(make: (inner: unknown) => unknown, depth: number): unknown {
  let value: unknown = [];
  for (let i = 0; i < depth; i++) value = make(value);
  return value;
}

function detached(): unknown {
  const array = new Float32Array(4);
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
}

const DEEP_ARRAY = nested((inner) => [inner], 9000);
const DEEP_OBJECT = nested((inner) => ({ inner }), 9000);
const SHARED = nested((inner) => Array.from({ length: 6 }, () => inner), 20);
const LONG = 'x'.repeat(1_000_000);
/** One context for all: making one takes a millisecond. */
const REALM = runInNewContext('({ run: (text) => eval(text) })') as { run(text: string): unknown };

const PRIMITIVES: readonly unknown[] = [
  ...[undefined, null, true, false, Number.NaN, -0, 0.5, -1, 2 ** 32, 2 ** 53, 1e308, Infinity, -Infinity],
  ...['', 'x', '1', '\ud800', 0n, 7n, -1n, 2n ** 64n],
];

function named(value: unknown): BadValue {
  if (typeof value === 'string') return { name: JSON.stringify(value), make: () => value };
  const text = typeof value === 'bigint' ? `${value}n` : String(value);
  return { name: Object.is(value, -0) ? '-0' : text, make: () => value };
}

const TYPED = [
  ...[Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array],
  ...[Float32Array, Float64Array, BigInt64Array, BigUint64Array],
];

const OTHERS: Readonly<Record<string, () => unknown>> = {
  'a long string': () => LONG,
  'a bigint of 10,000 digits': () => 1n << 33_000n,
  'a symbol': () => Symbol('x'),
  'a function': () => () => undefined,
  'an async function': () => async () => undefined,
  'a class': () => Instance,
  '[]': () => [],
  '[undefined]': () => [undefined],
  '[null]': () => [null],
  '[NaN]': () => [Number.NaN],
  '[0.5]': () => [0.5],
  '[-1]': () => [-1],
  '["x"]': () => ['x'],
  '[{}]': () => [{}],
  '[[1]]': () => [[1]],
  'a cyclic array': cyclicArray,
  'an array 9,000 deep': () => DEEP_ARRAY,
  'an array of 6^20 ways': () => SHARED,
  'an array of holes': () => new Array(2 ** 32 - 1),
  'an array with a getter that throws': () => Object.defineProperty([1], '0', { get: fail, enumerable: true }),
  'an array of another realm': () => REALM.run('[]'),
  'a Float32Array of another realm': () => REALM.run('new Float32Array(1)'),
  '{}': () => ({}),
  '{} without a prototype': () => Object.create(null),
  '{} of another realm': () => REALM.run('({})'),
  '{ unknown: 1 }': () => ({ unknown: 1 }),
  '{ length: 1 }': () => ({ length: 1 }),
  'a cyclic object': cyclicObject,
  'an object 9,000 deep': () => DEEP_OBJECT,
  'an object with a getter that throws': () => Object.defineProperty({}, 'x', { get: fail, enumerable: true }),
  'an instance of a class': () => new Instance(),
  'an empty Map': () => new Map(),
  'a Map': () => new Map([['x', 1]]),
  'a Set': () => new Set([1]),
  'a WeakMap': () => new WeakMap(),
  'a Date': () => new Date(0),
  'an invalid Date': () => new Date(Number.NaN),
  'a RegExp': () => /x/,
  'an Error': () => new Error('x'),
  'a URL': () => new URL('file:///nowhere/'),
  'a promise': () => Promise.resolve({}),
  'a thenable': () => Object.fromEntries([['then', () => undefined]]),
  'a generator': () => (function* () {})(),
  'a boxed number': () => Object(1),
  'a boxed string': () => Object('x'),
  Math: () => Math,
  'a Proxy that throws': () => new Proxy({}, THROWING),
  'a Proxy of an array that throws': () => new Proxy([], THROWING),
  'a Proxy of a function that throws': () => new Proxy(() => 1, THROWING),
  'a revoked Proxy': () => revoked({}),
  'a revoked Proxy of an array': () => revoked([]),
  'a DataView': () => new DataView(new ArrayBuffer(8)),
  'an ArrayBuffer': () => new ArrayBuffer(8),
  'a SharedArrayBuffer': () => new SharedArrayBuffer(8),
  'a Float32Array of NaN': () => new Float32Array([Number.NaN]),
  'an empty Float32Array': () => new Float32Array(),
  'a detached Float32Array': detached,
};

export const BAD_VALUES: readonly BadValue[] = [
  ...PRIMITIVES.map(named),
  ...TYPED.map((Typed) => ({ name: `${Typed.name} of [0]`, make: () => new Typed(1) })),
  ...Object.entries(OTHERS).map(([name, make]) => ({ name, make })),
];
