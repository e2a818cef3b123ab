import { afterEach, describe, expect, it, vi } from 'vitest';
import { hasWasmKernel } from '../../src/numerics/passes.js';

describe('an engine where WebAssembly', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  it.each([
    ['is missing', undefined, 'there is no WebAssembly here'],
    [
      'has no SIMD',
      {
        Module: class {
          constructor() {
            throw new SyntaxError('invalid opcode');
          }
        },
      },
      'the WebAssembly passes, which need SIMD, do not compile here: SyntaxError: invalid opcode',
    ],
  ])('%s has the plain passes, and says why', async (_, webAssembly, reason) => {
    vi.stubGlobal('WebAssembly', webAssembly);
    vi.resetModules();
    const { defaultPasses, hasWasmKernel: has } = await import('../../src/numerics/passes.js');
    const { defaultNumerics } = await import('../../src/numerics/default-numerics.js');
    expect([has(), has(), defaultNumerics().name]).toEqual([false, false, 'exact']);
    expect(defaultPasses()).toEqual({ passes: 'plain', reason });
  });

  it('works has the others', () => {
    expect(hasWasmKernel()).toBe(true);
  });
});
