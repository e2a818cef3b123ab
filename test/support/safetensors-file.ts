/**
 * Writes safetensors files, right ones and wrong ones.
 */

/** One tensor as its bytes; `offsets` where it must not be where it is. */
export interface RawTensor {
  readonly dtype: string;
  readonly shape: unknown;
  readonly bytes: Uint8Array;
  readonly offsets?: unknown;
}

/** A file of these tensors, one behind the other. */
export function safetensorsFile(tensors: Readonly<Record<string, RawTensor>>): Uint8Array {
  const header: Record<string, unknown> = { __metadata__: { format: 'pt' } };
  let at = 0;
  for (const [name, { dtype, shape, bytes, offsets }] of Object.entries(tensors)) {
    header[name] = { dtype, shape, data_offsets: offsets ?? [at, at + bytes.length] };
    at += bytes.length;
  }
  return withHeader(JSON.stringify(header), ...Object.values(tensors).map(({ bytes }) => bytes));
}

/** A file with this text as its header. */
export function withHeader(header: string, ...data: Uint8Array[]): Uint8Array {
  const text = new TextEncoder().encode(header);
  const length = new Uint8Array(8);
  new DataView(length.buffer).setUint32(0, text.length, true);
  return concatenated([length, text, ...data]);
}

export function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A tensor of float32. */
export function f32(shape: readonly number[], values: ArrayLike<number>): RawTensor {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  for (let i = 0; i < values.length; i++) view.setFloat32(4 * i, values[i] as number, true);
  return { dtype: 'F32', shape, bytes: new Uint8Array(view.buffer) };
}

/** A tensor of int32. */
export function i32(shape: readonly number[], values: ArrayLike<number>): RawTensor {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  for (let i = 0; i < values.length; i++) view.setInt32(4 * i, values[i] as number, true);
  return { dtype: 'I32', shape, bytes: new Uint8Array(view.buffer) };
}

/** A tensor of float16, by bit patterns. */
export function f16(shape: readonly number[], patterns: ArrayLike<number>): RawTensor {
  const view = new DataView(new ArrayBuffer(2 * patterns.length));
  for (let i = 0; i < patterns.length; i++) view.setUint16(2 * i, patterns[i] as number, true);
  return { dtype: 'F16', shape, bytes: new Uint8Array(view.buffer) };
}
