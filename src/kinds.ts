/**
 * What kind of value something is, whatever realm it comes from: a frame, a worker or a `vm` context has classes of its
 * own, and `instanceof` does not know their instances. None of these functions throws, whatever a Proxy answers.
 */

const TYPED_ARRAY = Object.getPrototypeOf(Uint8Array.prototype) as object;
const nameOf = Object.getOwnPropertyDescriptor(TYPED_ARRAY, Symbol.toStringTag)?.get as (this: unknown) => unknown;
const lengthOf = Object.getOwnPropertyDescriptor(TYPED_ARRAY, 'length')?.get as (this: unknown) => number;
const sizeOf = Object.getOwnPropertyDescriptor(Map.prototype, 'size')?.get as (this: unknown) => number;

/** The typed arrays of numbers; those of bigints are not among them. */
export type NumberArray =
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array;

/** `WebAssembly.Module`. Not every program's TypeScript knows that name (the types of Node do not): there, any object. */
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer M } } } ? M : object;

/** `BufferSource`, a name that only the types of browsers have. */
export type Bytes = ArrayBuffer | ArrayBufferView<ArrayBuffer>;

/** `Float32Array`, `BigInt64Array`, …; undefined for what is no typed array, a DataView among them. */
export function typedArrayName(value: unknown): string | undefined {
  return nameOf.call(value) as string | undefined;
}

/** The length of a typed array, whatever properties it was given. */
export function typedArrayLength(value: ArrayBufferView): number {
  return lengthOf.call(value);
}

/** Whether `value` is a typed array of numbers. */
export function isNumberArray(value: unknown): value is NumberArray {
  const name = typedArrayName(value);
  return name !== undefined && !name.startsWith('Big');
}

export function isFloat32Array(value: unknown): value is Float32Array {
  return typedArrayName(value) === 'Float32Array';
}

export function isFloat64Array(value: unknown): value is Float64Array {
  return typedArrayName(value) === 'Float64Array';
}

export function isInt32Array(value: unknown): value is Int32Array {
  return typedArrayName(value) === 'Int32Array';
}

export function isUint32Array(value: unknown): value is Uint32Array {
  return typedArrayName(value) === 'Uint32Array';
}

export function isUint8Array(value: unknown): value is Uint8Array {
  return typedArrayName(value) === 'Uint8Array';
}

/** As `Array.isArray`, which throws for a Proxy that was revoked. */
export function isArray(value: unknown): value is readonly unknown[] {
  return answers(() => Array.isArray(value));
}

export function isMap(value: unknown): value is ReadonlyMap<unknown, unknown> {
  return answers(() => sizeOf.call(value) >= 0);
}

/** Whether `await` would wait for it. */
export function isPromise(value: unknown): boolean {
  return isObject(value) && hasFunction(value, 'then');
}

export function isFunction(value: unknown): value is (...args: never[]) => unknown {
  return typeof value === 'function';
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether `for … of` goes over it: a list, a Set, a generator; not a string. */
export function isIterable(value: unknown): value is Iterable<unknown> {
  return hasFunction(value, Symbol.iterator);
}

/** Whether `value` is an object or a function with a function of that name, its own or of its class. */
export function hasFunction(value: unknown, name: string | symbol): boolean {
  if (!isObject(value) && typeof value !== 'function') return false;
  try {
    return typeof (value as unknown as Record<string | symbol, unknown>)[name] === 'function';
  } catch {
    return false; // not by `answers`: this is asked for every token, and its closure would be garbage each time
  }
}

/**
 * Whether `value` is an object as a literal or JSON makes it, or the namespace of a module: not an array, an instance of a
 * class, a Map, a Date, a Promise, nor `Math`.
 */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && answers(() => isPlainPrototype(Object.getPrototypeOf(value)) && isUntagged(value));
}

/** Nothing, or the `Object.prototype` of some realm: the one prototype that has `isPrototypeOf` and none above it. */
function isPlainPrototype(prototype: object | null): boolean {
  if (prototype === null || prototype === Object.prototype) return true;
  return (
    Object.getPrototypeOf(prototype) === null &&
    Object.getOwnPropertyDescriptor(prototype, 'isPrototypeOf') !== undefined
  );
}

function isUntagged(value: object): boolean {
  const tag = Object.prototype.toString.call(value);
  return tag === '[object Object]' || tag === '[object Module]';
}

/** Whether `value` is a URL. */
export function isUrl(value: unknown): value is URL {
  return hasTag(value, 'URL');
}

/** Whether `value` is what `fetch` promises. */
export function isResponse(value: unknown): value is Response {
  return hasTag(value, 'Response');
}

/** Whether `value` is a module of WebAssembly, which need not be there. */
export function isWebAssemblyModule(value: unknown): value is WasmModule {
  return hasTag(value, 'WebAssembly.Module');
}

/** Whether `value` is an ArrayBuffer, or a view of a buffer. */
export function isBufferSource(value: unknown): value is Bytes {
  return hasTag(value, 'ArrayBuffer') || ArrayBuffer.isView(value);
}

function hasTag(value: unknown, tag: string): boolean {
  return isObject(value) && answers(() => Object.prototype.toString.call(value) === `[object ${tag}]`);
}

/** `value instanceof type`, for classes whose instances no other realm has. */
export function isInstance<T>(value: unknown, type: abstract new (...args: never[]) => T): value is T {
  return answers(() => value instanceof type);
}

function answers(question: () => boolean): boolean {
  try {
    return question();
  } catch {
    return false;
  }
}
