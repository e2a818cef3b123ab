/**
 * Logits from a file or standard input: a JSON array, an .npy file, or raw little-endian float32.
 *
 * A terminal is read only when it is asked for with `-`.
 */
import { readFile } from 'node:fs/promises';
import { InvalidValueError } from '../errors.js';
import type { Logits } from '../logits.js';
import { parseJsonLogits } from './logits-json.js';
import { isNpy, readNpy } from './npy.js';
import { isTyped, readStandardInput } from './standard-input.js';

const OWNER = 'logits';
const WAITING = 'reading the logits from standard input';

/** The formats of a logits file; `auto` tells by the first bytes. */
export const LOGITS_FORMATS = ['auto', 'json', 'npy', 'f32'] as const;
export type LogitsFormat = (typeof LOGITS_FORMATS)[number];

/** Reads the file `path`; standard input for `-`, and for none where something is piped there. */
export async function readLogits(path: string | undefined, format: LogitsFormat): Promise<Logits> {
  if (path === undefined && isTyped()) {
    throw new InvalidValueError(OWNER, 'file', 'given, or the logits piped to standard input', path);
  }
  const bytes = path === undefined || path === '-' ? await readStandardInput(WAITING) : await readBytes(path);
  return parseLogits(bytes, format);
}

/** The logits that `bytes` hold. Throws InvalidValueError for bytes that are none. */
export function parseLogits(bytes: Uint8Array, format: LogitsFormat): Logits {
  if (bytes.length === 0) throw new InvalidValueError(OWNER, 'input', 'not empty', '0 bytes');
  switch (format === 'auto' ? guess(bytes) : format) {
    case 'npy':
      return readNpy(bytes);
    case 'json':
      return parseJsonLogits(new TextDecoder().decode(bytes), (line) => process.stderr.write(`[${line}]\n`));
    default:
      return readFloat32(bytes);
  }
}

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new InvalidValueError(OWNER, 'file', 'readable', `${path} (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Bytes that are all printable are text: a float32 vector never looks like that, its exponents are outside ASCII. */
function guess(bytes: Uint8Array): LogitsFormat {
  if (isNpy(bytes)) return 'npy';
  const isText = bytes.every((byte) => (byte >= 0x20 && byte < 0x7f) || (byte >= 0x09 && byte <= 0x0d));
  return isText ? 'json' : 'f32';
}

function readFloat32(bytes: Uint8Array): Float32Array {
  if (bytes.length % 4 !== 0) {
    throw new InvalidValueError(OWNER, 'input', 'raw float32, 4 bytes a logit', `${bytes.length} bytes`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => view.getFloat32(4 * i, true));
}
