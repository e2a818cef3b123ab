import { afterEach, describe, expect, it, vi } from 'vitest';
import { hasWasmKernel } from '../../src/numerics/wasm-kernel.js';

describe('an engine where WebAssembly', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  it.each([
    ['is missing', undefined],
    [
      'has no SIMD',
      {
        Module: class {
          constructor() {
            throw new SyntaxError('invalid opcode');
          }
        },
      },
    ],
  ])('%s has the plain passes', async (_, webAssembly) => {
    vi.stubGlobal('WebAssembly', webAssembly);
    vi.resetModules();
    const { hasWasmKernel: has } = await import('../../src/numerics/wasm-kernel.js');
    const { defaultNumerics } = await import('../../src/numerics/default-numerics.js');
    expect([has(), has(), defaultNumerics().name]).toEqual([false, false, 'exact']);
  });

  it('works has the others', () => {
    expect(hasWasmKernel()).toBe(true);
  });
});
