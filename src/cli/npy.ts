/**
 * NumPy's .npy format, versions 1 to 3: one row of floats, shape (V,) or (1, V), of 16, 32 or 64 bits in either byte
 * order. One row lies the same in C and in Fortran order.
 * Source: the NumPy reference, "NPY format".
 */
import { halfToNumber } from '../embedded/half.js';
import { InvalidValueError } from '../errors.js';

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]; // \x93NUMPY
const OWNER = 'npy';
const TYPES = ['<f2', '<f4', '<f8', '>f2', '>f4', '>f8'];

export function isNpy(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, i) => bytes[i] === byte);
}

/** The row in the file. Throws InvalidValueError for another shape or type, and for a file cut short. */
export function readNpy(bytes: Uint8Array): Float32Array | Float64Array {
  if (!isNpy(bytes) || bytes.length < 12) throw new InvalidValueError(OWNER, 'input', 'an .npy file', 'other bytes');
  const { type, length, start } = readHeader(bytes);
  const width = Number(type[2]);
  if (bytes.length !== start + width * length) {
    throw new InvalidValueError(OWNER, 'input', `${start + width * length} bytes long`, bytes.length);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset + start);
  const isLittle = type[0] === '<';
  switch (width) {
    case 2:
      return Float32Array.from({ length }, (_, i) => halfToNumber(view.getUint16(2 * i, isLittle)));
    case 4:
      return Float32Array.from({ length }, (_, i) => view.getFloat32(4 * i, isLittle));
    default:
      return Float64Array.from({ length }, (_, i) => view.getFloat64(8 * i, isLittle));
  }
}

interface Header {
  /** One of TYPES. */
  readonly type: string;
  readonly length: number;
  /** Where the numbers begin. */
  readonly start: number;
}

function readHeader(bytes: Uint8Array): Header {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLong = (bytes[6] as number) >= 2;
  const begin = isLong ? 12 : 10;
  const start = begin + (isLong ? view.getUint32(8, true) : view.getUint16(8, true));
  const header = new TextDecoder('latin1').decode(bytes.subarray(begin, start));
  const type = /'descr':\s*'([^']*)'/.exec(header)?.[1];
  const shape = /'shape':\s*\(([^)]*)\)/.exec(header)?.[1] ?? '';
  if (type === undefined || !TYPES.includes(type)) {
    throw new InvalidValueError(OWNER, 'descr', `one of ${TYPES.join(', ')}`, type ?? header.trim());
  }
  return { type, length: rowLength(shape), start };
}

function rowLength(shape: string): number {
  const match = /^\s*(?:1\s*,\s*)*(\d+)\s*,?\s*$/.exec(shape);
  if (match === null) throw new InvalidValueError(OWNER, 'shape', 'that of one row, (V,) or (1, V)', `(${shape})`);
  return Number(match[1]);
}
