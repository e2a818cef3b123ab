/**
 * The proof that a kernel gives before it is used (M1, M2): right ones pass it, and each way of being wrong without an
 * error is refused by name.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { exp } from '../../src/numerics/exp.js';
import { disproof, hasWasmKernel, wasmFailure } from '../../src/numerics/passes.js';
import { PlainKernel } from '../../src/numerics/plain-kernel.js';
import type { RowKernelFactory } from '../../src/numerics/row.js';
import { WasmKernel } from '../../src/numerics/wasm-kernel.js';
import { broken, flushing, otherByteOrder, otherExps, otherMaxima } from './broken-kernels.js';

const plain: RowKernelFactory = (length) => new PlainKernel(length, exp);
const wasm: RowKernelFactory = (length) => new WasmKernel(length);

describe('the known answers', () => {
  it.each([
    ['plain', plain],
    ['WebAssembly', wasm],
  ])('are given by the %s kernel', (_, make) => {
    expect(disproof(make)).toBe(null);
  });

  it('are given by this engine', () => {
    expect([hasWasmKernel(), wasmFailure()]).toEqual([true, null]);
  });

  it.each<[string, RowKernelFactory, RegExp]>([
    [
      'memory of another byte order',
      otherByteOrder(plain),
      /gave 1\.0000001192092896 for the byte order of the memory/,
    ],
    [
      'memory of another byte order, in WebAssembly',
      otherByteOrder(wasm),
      /for the byte order of the memory: .*, not 2$/,
    ],
    ['a scan that flushes subnormals', flushing.scan, /gave 0 for float32 subnormals: the largest of 0 and 2\^-149/],
    ['a collect that flushes subnormals', flushing.collect, /gave 0 for float32 subnormals: how many reach -2\^-149/],
    [
      'exps that flush subnormals',
      flushing.expSum,
      /gave 0\.36\d+ for the exp of a float32 subnormal over 2\^-149, not 1/,
    ],
    ['maxima without the sign of zero', otherMaxima((max) => max + 0), /gave 0 for the sign of zero: .*, not -0$/],
    [
      'a maximum of the magnitudes',
      otherMaxima((_, __, entries) => entries.reduce((max, x) => (Math.abs(x) > Math.abs(max) ? x : max))),
      /for float32 subnormals: the largest of -2\^-148 and -2\^-149/,
    ],
    ...Array.from({ length: 64 }, (_, place): [string, RowKernelFactory, RegExp] => [
      `a maximum that leaves out place ${place}`,
      otherMaxima((_, __, entries) => entries.reduce((max, x, i) => (i === place ? max : Math.max(max, x)), -Infinity)),
      place === 37
        ? /gave .* for the byte order/
        : new RegExp(`gave -1000 for the maximum of a block, at its place ${place},`),
    ]),
    [
      'the maximum of the block before',
      broken((kernel) => ({
        scan() {
          const found = kernel.scan();
          kernel.arrays.incomingMax.copyWithin(1, 0);
          return found;
        },
      })),
      /gave -32 for the maximum of a block, at its place 1, not -31/,
    ],
    [
      'masked entries not counted',
      broken((kernel) => ({
        scan() {
          const answer = kernel.scan();
          Object.assign(kernel.said, { masked: 0 });
          return answer;
        },
      })),
      /gave 0 for the number of masked entries, not 3/,
    ],
    [
      'NaN not noticed',
      broken((kernel) => ({ scan: () => kernel.scan() || true })),
      /gave 1 for whether NaN is a logit, not 0/,
    ],
    [
      'a largest entry that is forgotten',
      broken((kernel) => ({
        scan() {
          const answer = kernel.scan();
          Object.assign(kernel.said, { largest: 0 });
          return answer;
        },
      })),
      /gave 0 for the largest of all, not 31/,
    ],
    [
      'a sum by bounds that is one unit off',
      broken((kernel) => ({ sum: (divisor, max) => kernel.sum(divisor, max) * (1 + 2 ** -52) })),
      /for the sum by bounds, not/,
    ],
    [
      'masses that are further off than their bounds',
      broken((kernel) => ({
        estimate(fine, divisor, max) {
          const answer = kernel.estimate(fine, divisor, max);
          Object.assign(kernel.said, { sum: kernel.said.sum * (1 + 2.1 * kernel.said.error) });
          return answer;
        },
      })),
      /gave 2 for the mass of a row, quickly, not 0/,
    ],
    [
      'the mass of one block in the place of another',
      broken((kernel) => ({
        estimate(fine, divisor, max) {
          const answer = kernel.estimate(fine, divisor, max);
          kernel.arrays.masses[1] = 0;
          return answer;
        },
      })),
      /for the mass of a block, quickly, not 0/,
    ],
    [
      'a rest with what was listed in it',
      broken((kernel) => ({
        collectRest(threshold, divisor, max) {
          const count = kernel.collectRest(threshold, divisor, max);
          Object.assign(kernel.said, { sum: kernel.said.sum + 1 });
          return count;
        },
      })),
      /for the mass of the rest, not 0/,
    ],
    [
      'an id that is collected without its value',
      broken((kernel) => ({ collect: (threshold) => kernel.collect(threshold === 0 ? 1e-30 : threshold) })),
      /gave 31 for how many reach 0, not 32/,
    ],
    [
      'ids that are one off',
      broken((kernel) => ({
        collect(threshold) {
          const count = kernel.collect(threshold);
          kernel.arrays.ids.forEach((id, i, ids) => {
            ids[i] = id + 1;
          });
          return count;
        },
      })),
      /gave 2081 for an id that reaches 0, not 2080/,
    ],
    [
      'masked ids collected',
      broken((kernel) => ({ collect: (threshold) => kernel.collect(threshold) + (threshold < -1 ? 3 : 0) })),
      /gave 4101 for how many reach the lowest float32, not 4098/,
    ],
    [
      'exps that flush subnormals of float64',
      otherExps((e) => (e < 2 ** -1022 ? 0 : e)),
      /for exp\(-511\.\d+ \/ 0\.7 - 0\.25\)/,
    ],
    [
      'an exp that is one unit off',
      otherExps((e) => (e === 0.3161937975297399 ? 0.3161937975297398 : e)),
      /for exp\(-1\.15/,
    ],
    ['a masked exp of -0', otherExps((e) => (e === 0 ? -0 : e)), /gave -0 for exp\(-700\.25 \/ 0\.7 - 0\.25\), not 0/],
    ['an odd lane', otherExps((e, id) => (id === 69 ? 1e-300 : e)), /gave 1e-300 for exp\(-Infinity/],
    [
      'edits that are not placed',
      broken((kernel) => ({
        expSum(divisor, max) {
          const heads = kernel.arrays.heads.slice();
          kernel.arrays.heads.fill(0);
          const sum = kernel.expSum(divisor, max);
          kernel.arrays.heads.set(heads);
          return sum;
        },
      })),
      /for the sum of the exps with a divisor/,
    ],
    [
      'a sum in another order',
      broken((kernel) => ({
        expSum(divisor, max) {
          kernel.expSum(divisor, max);
          return kernel.arrays.exps.reduceRight((sum, e) => sum + e, 0);
        },
      })),
      /for the sum of the exps/,
    ],
    [
      'a sum in two lanes',
      broken((kernel) => ({
        expSum(divisor, max) {
          kernel.expSum(divisor, max);
          const lane = (odd: number) => kernel.arrays.exps.reduce((sum, e, id) => (id % 2 === odd ? sum + e : sum), 0);
          return lane(0) + lane(1);
        },
      })),
      /for the sum of the exps with a divisor/,
    ],
    [
      'a walk that stops where the sum is u',
      broken((kernel) => ({ walk: (total, u) => (u === 0 ? 1 : kernel.walk(total, u)) })),
      /gave 1 for the walk to u = 0, not 0/,
    ],
    [
      'a walk that always ends',
      broken((kernel) => ({ walk: (total, u) => Math.abs(kernel.walk(total, u)) })),
      /gave 1 for the walk to u = 0\.9999999999999999, not -1/,
    ],
    [
      'an error',
      broken(() => ({
        walk() {
          throw new RangeError('memory access out of bounds');
        },
      })),
      /failed after the sum of the exps: RangeError: memory access out of bounds/,
    ],
  ])('are not given with %s', (_, make, reason) => {
    expect(disproof(make)).toMatch(reason);
  });
});

describe('an engine whose WebAssembly is wrong', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  /** The library, loaded anew where the exports of every instance are `change`d. */
  async function loadWith(change: (exports: WebAssembly.Exports) => object) {
    const real = WebAssembly;
    class Instance {
      readonly exports: object;
      constructor(module: WebAssembly.Module, imports: WebAssembly.Imports) {
        const { exports } = new real.Instance(module, imports);
        this.exports = { ...exports, ...change(exports) };
      }
    }
    vi.stubGlobal('WebAssembly', { Module: real.Module, Memory: real.Memory, Instance });
    vi.resetModules();
    return import('../support/every-door.js');
  }

  const wrongScan = () => loadWith(() => ({ scan: () => -16 })); // what s390x gives
  const reason = /^the WebAssembly passes gave 0 for the byte order of the memory: .*, not 2$/;

  it('has the plain passes, and says why', async () => {
    const { defaultNumerics, defaultPasses, exactNumerics, passesOf } = await wrongScan();
    expect(defaultNumerics()).toBe(exactNumerics);
    expect(defaultPasses()).toEqual({ passes: 'plain', reason: expect.stringMatching(reason) });
    expect(passesOf(exactNumerics)).toEqual(defaultPasses());
  });

  it('says so in the report of verify, and is in lockstep', async () => {
    const { verify } = await wrongScan();
    const report = await verify({ groups: ['golden', 'pcg32'] });
    expect(report).toMatchObject({ ok: true, numerics: ['exact'] });
    expect(report.passes).toEqual({ passes: 'plain', reason: expect.stringMatching(reason) });
  });

  it('says so in a trace, of the same token', async () => {
    const trace = ({ createSampler, traceSample }: typeof import('../support/every-door.js')) =>
      traceSample(createSampler({ seed: 7 }), Float32Array.of(1, 2, 3));
    const traced = [trace(await import('../support/every-door.js')), trace(await wrongScan())];
    expect(traced[0]?.numerics).toEqual({ name: 'exact, WebAssembly', passes: 'WebAssembly' });
    expect(traced[1]?.numerics).toEqual({ name: 'exact', passes: 'plain', reason: expect.stringMatching(reason) });
    expect(traced[1]?.token).toEqual(traced[0]?.token);
  });

  it('refuses the WebAssembly numerics by name', async () => {
    const { wasmNumerics, InvalidValueError } = await wrongScan();
    expect(() => wasmNumerics.rowKernel(5)).toThrow(InvalidValueError);
    expect(() => wasmNumerics.rowKernel(5)).toThrow(/wasmNumerics: `rowKernel` .* the byte order of the memory/);
  });

  it('is tried once', async () => {
    let instances = 0;
    const { defaultNumerics } = await loadWith(() => ({ walk: () => instances++ - 1e6 }));
    defaultNumerics();
    const before = instances;
    defaultNumerics();
    expect([before > 0, instances]).toEqual([true, before]);
  });
});

describe('the passes of numerics', () => {
  it('are told by what they are', async () => {
    const { engineNumerics, exactNumerics, passesOf, wasmNumerics } = await import('../support/every-door.js');
    expect(passesOf(wasmNumerics)).toEqual({ passes: 'WebAssembly' });
    expect(passesOf(exactNumerics)).toEqual({ passes: 'plain', reason: 'the numerics "exact" have them' });
    expect(passesOf(engineNumerics)).toEqual({ passes: 'plain', reason: 'the numerics "engine" have them' });
    const { passes: _, ...own } = exactNumerics;
    expect(passesOf(own)).toEqual({ passes: 'other' });
  });
});
