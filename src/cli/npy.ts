/**
 * NumPy's .npy format, versions 1 to 3: one vector of little-endian float32 or float64.
 * Source: the NumPy reference, "NPY format".
 */
import { InvalidValueError } from '../errors.js';

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]; // \x93NUMPY
const OWNER = 'npy';

export function isNpy(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, i) => bytes[i] === byte);
}

/** The vector in the file. Throws InvalidValueError for another shape or type, and for a file cut short. */
export function readNpy(bytes: Uint8Array): Float32Array | Float64Array {
  if (!isNpy(bytes) || bytes.length < 12) throw new InvalidValueError(OWNER, 'input', 'an .npy file', 'other bytes');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wide = (bytes[6] as number) >= 2;
  const headerLength = wide ? view.getUint32(8, true) : view.getUint16(8, true);
  const start = (wide ? 12 : 10) + headerLength;
  const header = new TextDecoder('latin1').decode(bytes.subarray(wide ? 12 : 10, start));
  const type = /'descr':\s*'([^']*)'/.exec(header)?.[1];
  const shape = /'shape':\s*\(([^)]*)\)/.exec(header)?.[1];
  const length = vectorLength(shape);
  if (type !== '<f4' && type !== '<f8') throw new InvalidValueError(OWNER, 'descr', '<f4 or <f8', type);
  const width = type === '<f4' ? 4 : 8;
  if (bytes.length !== start + width * length) {
    throw new InvalidValueError(OWNER, 'input', `${start + width * length} bytes long`, bytes.length);
  }
  if (width === 4) return Float32Array.from({ length }, (_, i) => view.getFloat32(start + 4 * i, true));
  return Float64Array.from({ length }, (_, i) => view.getFloat64(start + 8 * i, true));
}

function vectorLength(shape: string | undefined): number {
  const match = /^\s*(\d+)\s*,?\s*$/.exec(shape ?? '');
  if (match === null) throw new InvalidValueError(OWNER, 'shape', 'that of one vector, (V,)', `(${shape ?? ''})`);
  return Number(match[1]);
}
