import { describe, expect, it } from 'vitest';
import { WasmKernel } from '../../src/numerics/wasm-kernel.js';

const PAGE = 65536;

describe('the memory of a kernel', () => {
  it.each([1, 64, 65, 1000, 32_000, 128_256])(
    'is the table, the arrays and less than a page more, V = %i',
    (length) => {
      const { arrays } = new WasmKernel(length);
      const padded = 64 * Math.ceil(length / 64);
      const inArrays = Object.values(arrays).reduce((sum: number, { byteLength }) => sum + byteLength, 0);
      const { byteLength } = arrays.copy.buffer;
      expect(byteLength).toBeGreaterThanOrEqual(2048 + inArrays);
      expect(byteLength).toBeLessThan(2048 + inArrays + 24 * (padded - length) + 10 * 64 + PAGE);
    },
  );

  it('holds the arrays side by side, each on 64 bytes, none upon another', () => {
    const { arrays } = new WasmKernel(1000);
    const spans = Object.values(arrays)
      .map(({ byteOffset, byteLength }) => ({ from: byteOffset, to: byteOffset + byteLength }))
      .sort((a, b) => a.from - b.from);
    for (const [i, { from }] of spans.entries()) {
      expect(from % 64).toBe(0);
      expect(from).toBeGreaterThanOrEqual(spans[i - 1]?.to ?? 2048);
    }
  });
});
