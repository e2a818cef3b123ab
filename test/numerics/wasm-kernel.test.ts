import { describe, expect, it } from 'vitest';
import { WasmKernel } from '../../src/numerics/wasm-kernel.js';

const PAGE = 65536;
/** Tables, addresses and constants. */
const TABLES = 20160;

describe('the memory of a kernel', () => {
  it.each([1, 64, 65, 1000, 32_000, 128_256])(
    'is the tables, the arrays and less than a page more, V = %i',
    (length) => {
      const { arrays } = new WasmKernel(length);
      const inArrays = Object.values(arrays).reduce((sum: number, { byteLength }) => sum + byteLength, 0);
      const { byteLength } = arrays.copy.buffer;
      expect(byteLength).toBeGreaterThanOrEqual(TABLES + inArrays);
      expect(byteLength).toBeLessThan(TABLES + inArrays + 12 * 64 + PAGE);
    },
  );

  it('holds the arrays side by side, each on 64 bytes, none upon another', () => {
    const { arrays } = new WasmKernel(1000);
    const spans = Object.values(arrays)
      .map(({ byteOffset, byteLength }) => ({ from: byteOffset, to: byteOffset + byteLength }))
      .sort((a, b) => a.from - b.from);
    for (const [i, { from }] of spans.entries()) {
      expect(from % 64).toBe(0);
      expect(from).toBeGreaterThanOrEqual(spans[i - 1]?.to ?? TABLES);
    }
  });
});
