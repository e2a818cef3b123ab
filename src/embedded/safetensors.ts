/**
 * Tensors of a safetensors file as typed arrays: F16 (widened exactly) and F32 as Float32Array, I32 as Int32Array.
 */
import { InvalidValueError } from '../errors.js';
import { checkId, checkName, readArray } from '../inputs.js';
import { isUint8Array } from '../kinds.js';
import { sha256 } from '../sha256.js';
import { halfToNumber } from './half.js';
import {
  ELEMENT_BYTES,
  elementCount,
  readHeader,
  type SafetensorsHeader,
  type TensorEntry,
} from './safetensors-header.js';

const OWNER = 'Safetensors';

export class Safetensors {
  readonly #header: SafetensorsHeader;
  readonly #bytes: Uint8Array;
  readonly #data: DataView;
  readonly #file: string;

  /**
   * `bytes` is the whole file, which is not copied: it must not change while this is in use. `file` names it in errors.
   * Throws InvalidValueError for a file that is truncated, has more bytes than its tensors, or is of another kind.
   */
  constructor(bytes: Uint8Array, file = 'file') {
    if (!isUint8Array(bytes)) throw new InvalidValueError(OWNER, 'bytes', 'a Uint8Array', bytes);
    checkName(OWNER, 'file', file);
    this.#bytes = bytes;
    this.#header = readHeader(bytes, file);
    this.#data = new DataView(bytes.buffer, bytes.byteOffset + this.#header.dataStart);
    this.#file = file;
  }

  /** SHA-256 of the whole file, 64 hexadecimal digits. */
  digest(): string {
    return sha256(this.#bytes);
  }

  /** The names of the tensors, in the order of their data. */
  get names(): string[] {
    return [...this.#header.tensors.keys()];
  }

  /** The shape of `name`. Throws when there is no such tensor. */
  shape(name: string): readonly number[] {
    return this.#entry(name).shape;
  }

  /**
   * The elements of `name`, an F16 or F32 tensor, in row-major order: a new array. Throws when there is no such tensor,
   * its elements are integers, or its shape is not `shape`, where that is given.
   */
  floats(name: string, shape?: readonly number[]): Float32Array {
    const entry = this.#checked(name, shape);
    if (entry.type === 'I32') throw new InvalidValueError(OWNER, name, 'a tensor of F16 or F32', entry.type);
    const data = this.#data;
    const half = entry.type === 'F16';
    return this.#fill(new Float32Array(elementCount(entry.shape)), entry, (at) =>
      half ? halfToNumber(data.getUint16(at, true)) : data.getFloat32(at, true),
    );
  }

  /** The elements of `name`, an I32 tensor, like `floats`. */
  integers(name: string, shape?: readonly number[]): Int32Array {
    const entry = this.#checked(name, shape);
    if (entry.type !== 'I32') throw new InvalidValueError(OWNER, name, 'a tensor of I32', entry.type);
    const data = this.#data;
    return this.#fill(new Int32Array(elementCount(entry.shape)), entry, (at) => data.getInt32(at, true));
  }

  #fill<A extends Float32Array | Int32Array>(values: A, entry: TensorEntry, read: (at: number) => number): A {
    const step = ELEMENT_BYTES[entry.type];
    for (let i = 0; i < values.length; i++) values[i] = read(entry.begin + i * step);
    return values;
  }

  #checked(name: string, shape: readonly number[] | undefined): TensorEntry {
    const entry = this.#entry(name);
    if (shape !== undefined)
      readArray(OWNER, 'shape', 'an array of integers', shape, (n, i) => checkId(OWNER, `shape[${i}]`, n));
    if (shape === undefined || (shape.length === entry.shape.length && shape.every((n, i) => n === entry.shape[i]))) {
      return entry;
    }
    throw new InvalidValueError(OWNER, name, `a tensor of shape [${shape.join(', ')}]`, entry.shape);
  }

  #entry(name: string): TensorEntry {
    const entry = this.#header.tensors.get(name);
    if (entry !== undefined) return entry;
    throw new InvalidValueError(OWNER, 'name', `a tensor of ${this.#file}`, name);
  }
}
