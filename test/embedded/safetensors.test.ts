import { describe, expect, it } from 'vitest';
import { Safetensors } from '../../src/embedded/safetensors.js';
import {
  concatenated,
  f16,
  f32,
  i32,
  type RawTensor,
  safetensorsFile,
  withHeader,
} from '../support/safetensors-file.js';

const TENSORS = {
  halves: f16([2, 2], [0x3c00, 0xc000, 0x0001, 0x7bff]),
  singles: f32([3], [0.1, -0, 1e30]),
  whole: i32([2, 1], [-5, 2147483647]),
  scalar: f32([], [7]),
  none: f32([0, 4], []),
};
const FILE = safetensorsFile(TENSORS);

function shifted(bytes: Uint8Array, by: number): Uint8Array {
  return concatenated([new Uint8Array(by), bytes, new Uint8Array(3)]).subarray(by, by + bytes.length);
}

describe('Safetensors', () => {
  it.each([0, 1, 2, 7])('reads every type from a file that starts %i bytes into its buffer', (by) => {
    const file = new Safetensors(shifted(FILE, by));
    expect(file.names).toEqual(Object.keys(TENSORS));
    expect(file.floats('halves', [2, 2])).toEqual(Float32Array.of(1, -2, 1 / 16777216, 65504));
    expect(file.floats('singles', [3])).toEqual(Float32Array.of(0.1, -0, 1e30));
    expect(file.integers('whole', [2, 1])).toEqual(Int32Array.of(-5, 2147483647));
    expect(file.floats('scalar', [])).toEqual(Float32Array.of(7));
    expect(file.floats('none', [0, 4])).toEqual(new Float32Array());
    expect(file.shape('whole')).toEqual([2, 1]);
  });

  it('reads a tensor whose shape is not asked for', () => {
    expect(new Safetensors(FILE).floats('singles')).toHaveLength(3);
  });

  it('finds tensors that the header names in another order than their data', () => {
    const header = {
      b: { dtype: 'I32', shape: [1], data_offsets: [4, 8] },
      a: { dtype: 'I32', shape: [1], data_offsets: [0, 4] },
    };
    const file = new Safetensors(withHeader(JSON.stringify(header), i32([2], [10, 20]).bytes));
    expect([file.integers('a')[0], file.integers('b')[0]]).toEqual([10, 20]);
    expect(file.names).toEqual(['a', 'b']);
  });

  it('reads a file without tensors', () => {
    expect(new Safetensors(withHeader('{}')).names).toEqual([]);
  });

  it.each<[string, () => unknown, string]>([
    ['an unknown name', () => new Safetensors(FILE, 'w').floats('x'), '`name` must be a tensor of w, got "x"'],
    [
      'an inherited name',
      () => new Safetensors(FILE).shape('toString'),
      '`name` must be a tensor of file, got "toString"',
    ],
    [
      'another shape',
      () => new Safetensors(FILE).floats('halves', [4]),
      '`halves` must be a tensor of shape [4], got [2, 2]',
    ],
    [
      'fewer sizes',
      () => new Safetensors(FILE).floats('halves', [2]),
      '`halves` must be a tensor of shape [2], got [2, 2]',
    ],
    [
      'floats of integers',
      () => new Safetensors(FILE).floats('whole'),
      '`whole` must be a tensor of F16 or F32, got "I32"',
    ],
    [
      'integers of floats',
      () => new Safetensors(FILE).integers('halves'),
      '`halves` must be a tensor of I32, got "F16"',
    ],
  ])('refuses %s', (_, call, message) => {
    expect(call).toRefuse(`Safetensors: ${message}`);
  });

  it('refuses a file that is cut anywhere', () => {
    for (let length = 0; length < FILE.length; length++) {
      expect(() => new Safetensors(FILE.subarray(0, length), 'w.safetensors')).toThrow(
        /^Safetensors: `w\.safetensors` must be /,
      );
    }
  });

  it.each<[string, Uint8Array, string]>([
    ['no bytes', new Uint8Array(), '`w` must be a safetensors file, of at least 8 bytes, got 0'],
    ['seven bytes', new Uint8Array(7), '`w` must be a safetensors file, of at least 8 bytes, got 7'],
    [
      'a header longer than the file',
      FILE.subarray(0, 20),
      '`w` must be a safetensors file, of at least 340 bytes as its first ones announce, got 20',
    ],
    [
      'text',
      new TextEncoder().encode('<!doctype html>'),
      '`w` must be a safetensors file, of at least 8104636974849335000 bytes as its first ones announce, got 15',
    ],
    [
      'a header that is no JSON',
      withHeader('{"a":'),
      '`w` must be a safetensors file, whose header is a JSON object, got "{\\"a\\":"',
    ],
    [
      'a header that is no object',
      withHeader('[1]'),
      '`w` must be a safetensors file, whose header is a JSON object, got "[1]"',
    ],
    [
      'a header that is null',
      withHeader('null'),
      '`w` must be a safetensors file, whose header is a JSON object, got "null"',
    ],
    [
      'data cut short',
      FILE.subarray(0, FILE.length - 1),
      '`w` must be a header and 32 bytes of data, as its tensors make them, got 31',
    ],
    [
      'data too long',
      concatenated([FILE, new Uint8Array(2)]),
      '`w` must be a header and 32 bytes of data, as its tensors make them, got 34',
    ],
  ])('refuses %s', (_, bytes, message) => {
    expect(() => new Safetensors(bytes, 'w')).toRefuse(`Safetensors: ${message}`);
  });

  const four = new Uint8Array(4);
  it.each<[string, RawTensor, string]>([
    ['another type', { dtype: 'BF16', shape: [2], bytes: four }, '`t.dtype` must be F16, F32 or I32, got "BF16"'],
    [
      'an inherited type',
      { dtype: 'toString', shape: [2], bytes: four },
      '`t.dtype` must be F16, F32 or I32, got "toString"',
    ],
    [
      'a shape of halves',
      { dtype: 'F32', shape: [0.5], bytes: four },
      '`t.shape` must be an array of integers >= 0, got [0.5]',
    ],
    [
      'a negative shape',
      { dtype: 'F32', shape: [-1], bytes: four },
      '`t.shape` must be an array of integers >= 0, got [-1]',
    ],
    [
      'a shape that is no array',
      { dtype: 'F32', shape: 1, bytes: four },
      '`t.shape` must be an array of integers >= 0, got 1',
    ],
    [
      'too many bytes',
      { dtype: 'F16', shape: [1], bytes: four },
      '`t.data_offsets` must be a range of 2 bytes, as F16 and [1] make them, got [0, 4]',
    ],
    [
      'too few bytes',
      { dtype: 'F32', shape: [2], bytes: four },
      '`t.data_offsets` must be a range of 8 bytes, as F32 and [2] make them, got [0, 4]',
    ],
    [
      'one offset',
      { dtype: 'F32', shape: [1], bytes: four, offsets: [0] },
      '`t.data_offsets` must be a range of 4 bytes, as F32 and [1] make them, got [0]',
    ],
    [
      'three offsets',
      { dtype: 'F32', shape: [1], bytes: four, offsets: [0, 4, 8] },
      '`t.data_offsets` must be a range of 4 bytes, as F32 and [1] make them, got [0, 4, 8]',
    ],
    [
      'a gap',
      { dtype: 'F32', shape: [1], bytes: four, offsets: [4, 8] },
      '`t.data_offsets` must be a range that starts at 0, where the one before ends, got [4, 8]',
    ],
  ])('refuses a tensor with %s', (_, tensor, message) => {
    expect(() => new Safetensors(safetensorsFile({ t: tensor }), 'w')).toRefuse(`Safetensors: ${message}`);
  });

  it('refuses tensors that overlap', () => {
    const tensors = { a: f32([2], [1, 2]), b: { ...f32([1], [3]), offsets: [4, 8] } };
    expect(() => new Safetensors(safetensorsFile(tensors))).toRefuse(
      'Safetensors: `b.data_offsets` must be a range that starts at 8, where the one before ends, got [4, 8]',
    );
  });

  it('refuses an entry that is no object', () => {
    expect(() => new Safetensors(withHeader('{"t":null}'))).toRefuse(
      'Safetensors: `t.dtype` must be F16, F32 or I32, got undefined',
    );
  });
});
