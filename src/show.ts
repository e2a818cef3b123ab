/**
 * A value as an error message shows it. Whatever the value is (a cycle, a graph that unfolds without end, a getter or a
 * Proxy that throws), showing it ends soon and never throws: writing stops when the message is full.
 */
import { isPlainObject, typedArrayLength, typedArrayName } from './kinds.js';

const LONGEST = 80;
const MOST_ENTRIES = 20;
const MOST_FIELDS = 8;
const DEEPEST = 8;
/** Longer ones take time to write, and are cut anyway. */
const LARGEST = BigInt(`1${'0'.repeat(LONGEST)}`);
const UNREADABLE = 'a value that cannot be read';

/** A value, in at most 80 characters, and with -0, NaN, bigints and strings told apart. */
export function show(value: unknown): string {
  return cut(describe(value, LONGEST, 0));
}

/** At most 80 characters of `text`, with a mark where it was longer. */
export function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

/** @param room characters that are looked at: what comes after them need not be right, nor there */
function describe(value: unknown, room: number, depth: number): string {
  try {
    if (typeof value === 'string') return JSON.stringify(value.slice(0, LONGEST));
    if (typeof value === 'bigint')
      return value < LARGEST && value > -LARGEST ? `${value}n` : 'a bigint of over 80 digits';
    if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
    if (typeof value === 'symbol') return `Symbol(${(value.description ?? '').slice(0, LONGEST)})`;
    if (typeof value === 'function') return `a function (${nameOf(value) || 'unnamed'})`;
    if (typeof value === 'object' && value !== null) return describeObject(value, room, depth);
    return String(value);
  } catch {
    return UNREADABLE;
  }
}

function describeObject(value: object, room: number, depth: number): string {
  if (Array.isArray(value)) return describeArray(value, room, depth);
  const typed = typedArrayName(value);
  if (typed !== undefined) return `${typed}(${typedArrayLength(value as ArrayBufferView)})`;
  if (ArrayBuffer.isView(value)) return `DataView(${value.byteLength})`;
  if (!isPlainObject(value)) return `a ${className(value)}`;
  return describeFields(value, room, depth);
}

function describeArray(value: readonly unknown[], room: number, depth: number): string {
  if (depth === DEEPEST && value.length > 0) return '[…]';
  let text = '[';
  for (let i = 0; i < value.length && text.length <= room; i++) {
    if (i === MOST_ENTRIES) return `${text}, …]`;
    const entry = describeEntry(value, i, room - text.length, depth + 1);
    text += i > 0 ? `, ${entry}` : entry;
  }
  return `${text}]`;
}

function describeFields(value: Readonly<Record<string, unknown>>, room: number, depth: number): string {
  const keys = Object.keys(value).slice(0, MOST_FIELDS);
  if (keys.length === 0) return '{}';
  if (depth === DEEPEST) return '{…}';
  let text = '{';
  for (const [i, key] of keys.entries()) {
    if (text.length > room) break;
    text += `${i > 0 ? ',' : ''} ${key.slice(0, LONGEST)}: `;
    text += describeEntry(value, key, room - text.length, depth + 1);
  }
  return `${text} }`;
}

/** Where one entry cannot be read, the others are shown. */
function describeEntry(value: object, key: string | number, room: number, depth: number): string {
  try {
    return describe((value as Record<string | number, unknown>)[key], room, depth);
  } catch {
    return UNREADABLE;
  }
}

function className(value: object): string {
  const prototype = Object.getPrototypeOf(value) as { constructor?: unknown } | null;
  const name = typeof prototype?.constructor === 'function' ? nameOf(prototype.constructor) : '';
  return name !== '' && name !== 'Object' ? name : Object.prototype.toString.call(value).slice('[object '.length, -1);
}

/** A class may have a static `name` of any kind. */
function nameOf(value: { readonly name: unknown }): string {
  return typeof value.name === 'string' ? value.name.slice(0, LONGEST) : '';
}
