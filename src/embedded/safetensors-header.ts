/**
 * The header of a safetensors file: which tensors it holds, and where.
 *
 * The file is a u64 N (little-endian), N bytes of JSON, and the data. The JSON maps each name to its type, its shape and
 * the half-open range of its bytes in the data; `__metadata__` holds strings and is left aside. The ranges cover the data
 * without gaps or overlaps, which is checked, so that a truncated file is never read as a whole one.
 * Source: https://github.com/huggingface/safetensors, README, "Format".
 */
import { InvalidValueError } from '../errors.js';

const OWNER = 'Safetensors';
const LENGTH_BYTES = 8;

/** Bytes an element, of the types that are read. */
export const ELEMENT_BYTES = { F16: 2, F32: 4, I32: 4 } as const;
export type ElementType = keyof typeof ELEMENT_BYTES;

/** One tensor of the file. */
export interface TensorEntry {
  readonly type: ElementType;
  readonly shape: readonly number[];
  /** Where its bytes start, in [0, data length]. */
  readonly begin: number;
  /** Where they end. */
  readonly end: number;
}

export interface SafetensorsHeader {
  /** The tensors by name, in the order of their data. */
  readonly tensors: ReadonlyMap<string, TensorEntry>;
  /** Where the data starts in the file. */
  readonly dataStart: number;
}

/** The header of a whole file; `file` names it in errors. Throws InvalidValueError for anything but a whole one. */
export function readHeader(bytes: Uint8Array, file: string): SafetensorsHeader {
  const dataStart = headerEnd(bytes, file);
  const entries = Object.entries(headerObject(bytes.subarray(LENGTH_BYTES, dataStart), file))
    .filter(([name]) => name !== '__metadata__')
    .map(([name, value]) => [name, readEntry(name, value)] as const)
    .sort(([, a], [, b]) => a.begin - b.begin || a.end - b.end);
  checkCover(entries, bytes.length - dataStart, file);
  return { tensors: new Map(entries), dataStart };
}

/** The number of elements of a shape; 1 for a scalar's, []. */
export function elementCount(shape: readonly number[]): number {
  return shape.reduce((count, size) => count * size, 1);
}

function headerEnd(bytes: Uint8Array, file: string): number {
  if (bytes.length < LENGTH_BYTES) {
    throw new InvalidValueError(OWNER, file, 'a safetensors file, of at least 8 bytes', bytes.length);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, LENGTH_BYTES);
  const length = view.getUint32(4, true) * 4294967296 + view.getUint32(0, true);
  if (length > bytes.length - LENGTH_BYTES) {
    const domain = `a safetensors file, of at least ${LENGTH_BYTES + length} bytes as its first ones announce`;
    throw new InvalidValueError(OWNER, file, domain, bytes.length);
  }
  return LENGTH_BYTES + length;
}

function headerObject(bytes: Uint8Array, file: string): object {
  const text = new TextDecoder().decode(bytes);
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Refused below, like JSON that is no object.
  }
  throw new InvalidValueError(OWNER, file, 'a safetensors file, whose header is a JSON object', text);
}

function readEntry(name: string, value: unknown): TensorEntry {
  const { dtype, shape, data_offsets: range } = Object(value) as Record<string, unknown>;
  if (typeof dtype !== 'string' || !Object.hasOwn(ELEMENT_BYTES, dtype)) {
    throw new InvalidValueError(OWNER, `${name}.dtype`, 'F16, F32 or I32', dtype);
  }
  if (!isIntegers(shape)) throw new InvalidValueError(OWNER, `${name}.shape`, 'an array of integers >= 0', shape);
  const type = dtype as ElementType;
  const length = elementCount(shape) * ELEMENT_BYTES[type];
  const [begin, end] = isIntegers(range) && range.length === 2 ? (range as [number, number]) : [NaN, NaN];
  if (end - begin !== length) {
    const domain = `a range of ${length} bytes, as ${type} and [${shape.join(', ')}] make them`;
    throw new InvalidValueError(OWNER, `${name}.data_offsets`, domain, range);
  }
  return { type, shape, begin, end };
}

function isIntegers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((entry) => Number.isSafeInteger(entry) && entry >= 0);
}

/** The tensors, in the order of their data, fill it from the first byte to the last. */
function checkCover(entries: readonly (readonly [string, TensorEntry])[], dataBytes: number, file: string): void {
  let at = 0;
  for (const [name, { begin, end }] of entries) {
    if (begin !== at) {
      const domain = `a range that starts at ${at}, where the one before ends`;
      throw new InvalidValueError(OWNER, `${name}.data_offsets`, domain, [begin, end]);
    }
    at = end;
  }
  if (at !== dataBytes) {
    throw new InvalidValueError(OWNER, file, `a header and ${at} bytes of data, as its tensors make them`, dataBytes);
  }
}
