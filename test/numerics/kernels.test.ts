/**
 * The passes over a vocabulary: one suite of laws for the plain ones and for those in WebAssembly, which must have the
 * same bits.
 */
import { describe, expect, it } from 'vitest';
import { Edits } from '../../src/numerics/edits.js';
import { exp } from '../../src/numerics/exp.js';
import { defaultNumerics, engineNumerics, exactNumerics, wasmNumerics } from '../../src/numerics/index.js';
import { hasWasmKernel } from '../../src/numerics/passes.js';
import { PlainKernel } from '../../src/numerics/plain-kernel.js';
import { BLOCK, type RowKernel } from '../../src/numerics/row.js';
import { WasmKernel } from '../../src/numerics/wasm-kernel.js';
import { Pcg32 } from '../../src/random/index.js';
import { expectSameBits } from '../support/bits.js';
import { pick, roughNormal } from '../support/requests.js';
import { vectors } from './vectors.js';

const KERNELS: [string, (length: number) => RowKernel][] = [
  ['plain', (length) => new PlainKernel(length, exp)],
  ['WebAssembly', (length) => new WasmKernel(length)],
];

const SIZES = [1, 2, 3, 63, 64, 65, 127, 128, 129, 1000, 4097];

type Fill = (random: Pcg32) => number;

const FILLS: Record<string, Fill> = {
  normal: (random) => 4 * roughNormal(random),
  'far apart': (random) => 2000 * random.uniform() - 2000,
  'near the underflow of exp': (random) => -740 - 10 * random.uniform(),
  'mostly masked': (random) => (random.below(10) === 0 ? roughNormal(random) : -Infinity),
  extreme: (random) => pick(random, [3.4e38, -3.4e38, 1e-45, -1e-45, 0, -0, 1, -511.9999, -512, -512.0001, -1024]),
};

function fill(kernel: RowKernel, length: number, make: Fill, seed = 1): Float32Array {
  const random = new Pcg32(seed, length);
  const row = Float32Array.from({ length }, (_, id) => (id === 0 ? 0 : make(random)));
  put(kernel, row);
  return row;
}

/** Puts `row` in and has it looked through; how many entries are masked, undefined where one is no logit. */
function put(kernel: RowKernel, row: Float32Array): number | undefined {
  kernel.arrays.incoming.set(row);
  if (!kernel.scan()) return undefined;
  kernel.accept();
  return kernel.said.masked;
}

function largest(row: ArrayLike<number>): number {
  return Array.from(row).reduce((max, x) => Math.max(max, x), -Infinity);
}

/** Masks of every share, the bits behind the last id without meaning. */
function* masksOf(length: number): Iterable<[share: string, words: Uint32Array]> {
  const words = Math.ceil(length / 32);
  const random = new Pcg32(length, 3);
  const word = (share: number) => {
    let bits = 0;
    for (let i = 0; i < 32; i++) bits = (bits << 1) | (random.uniform() < share ? 1 : 0);
    return bits >>> 0;
  };
  for (const share of [0, 0.02, 0.5, 0.98, 1]) {
    yield [`${share}`, Uint32Array.from({ length: words }, () => word(share))];
    yield [
      `${share}, some words all or nothing`,
      Uint32Array.from({ length: words }, () => word(pick(random, [0, 1, share]))),
    ];
  }
}

function isIn(words: Uint32Array, id: number): boolean {
  return (((words[id >> 5] as number) >>> (id & 31)) & 1) === 1;
}

describe.each(KERNELS)('the %s kernel', (_name, make) => {
  it.each(SIZES)('has arrays for V = %i in blocks of 64, and nothing in them', (length) => {
    const { arrays } = make(length);
    const blocks = Math.ceil(length / BLOCK);
    expect(BLOCK).toBe(64);
    expect([arrays.copy.length, arrays.incoming.length]).toEqual([blocks * 64, blocks * 64]);
    expect([arrays.blockMax.length, arrays.incomingMax.length, arrays.heads.length]).toEqual([blocks, blocks, blocks]);
    const ofIds = [arrays.exps, arrays.next, arrays.editIds, arrays.editValues, arrays.ids];
    expect(ofIds.map((a) => a.length)).toEqual(Array(5).fill(blocks * 64));
    expect([arrays.before.length, arrays.masses.length]).toEqual([blocks + 1, blocks]);
    expect([...arrays.copy, ...arrays.incoming].every((x) => x === -Infinity)).toBe(true);
    expect(arrays.heads.every((x) => x === 0)).toBe(true);
  });

  it('has arrays that do not overlap', () => {
    const { arrays } = make(130);
    const all = Object.values(arrays) as (Float32Array | Float64Array | Int32Array)[];
    all.forEach((array, i) => {
      array.fill(i + 1);
    });
    all.forEach((array, i) => {
      expect(array.every((x) => x === i + 1)).toBe(true);
    });
  });

  it('shares nothing with another one', () => {
    const [a, b] = [make(5), make(5)];
    fill(a, 5, () => 3);
    expect([b.arrays.copy[1], b.arrays.incoming[1]]).toEqual([-Infinity, -Infinity]);
  });

  describe.each(Object.entries(FILLS))('on %s logits', (_, fillWith) => {
    it.each(SIZES)('scans: blocks and masks, V = %i', (length) => {
      const kernel = make(length);
      const row = fill(kernel, length, fillWith);
      expect(put(kernel, row)).toBe(row.filter((x) => x === -Infinity).length);
      expect(kernel.said.largest).toBe(largest(row));
      expect([...kernel.arrays.copy.subarray(0, length)]).toEqual([...row]);
      kernel.arrays.blockMax.forEach((max, block) => {
        expect(max === largest(row.subarray(64 * block, 64 * block + 64))).toBe(true);
      });
    });

    it.each(SIZES)('collects what reaches a threshold, V = %i', (length) => {
      const kernel = make(length);
      const row = fill(kernel, length, fillWith);
      const thresholds = [row[0], row[length >> 1], row[length - 1], 0.5, -1e30].map((x) => x as number);
      for (const threshold of thresholds.filter((x) => x > -Infinity)) {
        const expected = [...row.keys()].filter((id) => (row[id] as number) >= threshold);
        expect(kernel.collect(threshold)).toBe(expected.length);
        expect([...kernel.arrays.ids.subarray(0, expected.length)]).toEqual(expected);
      }
    });

    it.each(SIZES)('keeps what a mask allows, V = %i', (length) => {
      for (const [share, words] of masksOf(length)) {
        const kernel = make(length);
        const row = fill(kernel, length, fillWith);
        const left = row.map((x, id) => (isIn(words, id) ? x : -Infinity));
        const removed = left.filter((x, id) => x === -Infinity && (row[id] as number) > -Infinity).length;
        expect(kernel.keepMask(words), share).toBe(removed);
        expectSameBits(kernel.arrays.copy.subarray(0, length), left, share);
        kernel.arrays.blockMax.forEach((max, block) => {
          expect(max === largest(left.subarray(64 * block, 64 * block + 64)), share).toBe(true);
        });
        expect([...kernel.arrays.copy.subarray(length)].every((x) => x === -Infinity)).toBe(true);
        if (largest(left) === -Infinity) continue;
        const expected = Array.from(left, (x) => exp(x / 0.7 - largest(left) / 0.7));
        kernel.expSum(0.7, largest(left) / 0.7);
        expectSameBits(kernel.arrays.exps.subarray(0, length), expected, share);
      }
    });

    it.each(SIZES)('sums the exps in ascending id order, with edits and a divisor, V = %i', (length) => {
      for (const divisor of [1, 0.7, 3, 1e-3]) {
        const kernel = make(length);
        const row = fill(kernel, length, fillWith);
        const l = Array.from(row);
        const edits = new Edits(kernel.arrays);
        const edited = new Set<number>();
        const random = new Pcg32(length, 2);
        for (let n = 0; n < Math.min(9, length - 1); n++) {
          const id = random.below(length);
          l[id] = pick(random, [0.1, -3.3, -Infinity, -745.1, roughNormal(random)]);
          if (edited.has(id)) edits.change(id, l[id] as number);
          else edits.add(id, l[id] as number);
          edited.add(id);
          kernel.arrays.copy[id] = -Infinity;
        }
        const divided = l.map((x) => x / divisor);
        const max = largest(divided);
        if (max === -Infinity) continue;
        const expected = divided.map((x) => exp(x - max));
        let sum = 0;
        for (const e of expected) sum += e;
        expect(kernel.expSum(divisor, max)).toBe(sum);
        expectSameBits(kernel.arrays.exps.subarray(0, length), expected, `exps, divisor ${divisor}`);
        checkWalk(kernel, expected, sum);
      }
    });
  });

  it('has the bits of exp for every committed vector that is no larger than 0', () => {
    const rows = vectors('exp.txt').filter(([x]) => (x as number) <= 0);
    expect(rows.length).toBeGreaterThan(10_000);
    const kernel = make(rows.length);
    const edits = new Edits(kernel.arrays);
    rows.forEach(([x], id) => {
      edits.add(id, x as number);
    });
    kernel.expSum(1, 0);
    expectSameBits(
      kernel.arrays.exps.subarray(0, rows.length),
      rows.map(([, y]) => y as number),
      'exp',
    );
  });

  it('has the bits of exp for every difference of a float32 and a maximum', () => {
    const length = 100_000;
    const kernel = make(length);
    const random = new Pcg32(77, 7);
    const row = Float32Array.from({ length }, () => -780 * random.uniform() ** 3);
    put(kernel, row);
    for (const max of [0, 0.1234567890123, 700.5]) {
      kernel.expSum(1, max);
      expectSameBits(
        kernel.arrays.exps.subarray(0, length),
        Array.from(row, (x) => exp(x - max)),
        `exp, max ${max}`,
      );
    }
  });

  it.each([Number.NaN, Infinity])('refuses %d wherever it is', (bad) => {
    for (const length of [1, 64, 65, 200]) {
      for (const at of [0, 3, 4, 63, 64, 130, 199].filter((i) => i < length)) {
        const kernel = make(length);
        const good = fill(kernel, length, () => 1);
        const row = Float32Array.from(good);
        row[at] = bad;
        expect(put(kernel, row)).toBeUndefined();
        expect([...kernel.arrays.copy.subarray(0, length)]).toEqual([...good]); // what was accepted before stays
        expect(kernel.arrays.blockMax[0]).toBe(largest(good.subarray(0, 64)));
      }
    }
  });

  it('never reaches a u that the sum does not exceed', () => {
    const kernel = make(10);
    fill(kernel, 10, () => 0);
    const total = kernel.expSum(1, 0);
    expect(kernel.walk(total, 1 - 2 ** -53)).toBe(-1); // ten times 0.1 is 1 - 2^-53
    expect(kernel.walk(total, 0)).toBe(0);
  });
});

function checkWalk(kernel: RowKernel, exps: readonly number[], total: number): void {
  let c = 0;
  const sums = exps.map((e) => {
    c += e / total;
    return c;
  });
  for (const u of [0, 0.3, 0.999, sums[0] as number, sums[exps.length >> 1] as number, sums.at(-1) as number]) {
    expect(kernel.walk(total, u)).toBe(sums.findIndex((sum) => u < sum));
  }
}

describe('the numerics', () => {
  it('are in WebAssembly by default, where the engine has it', () => {
    expect(hasWasmKernel()).toBe(true);
    expect(defaultNumerics()).toBe(wasmNumerics);
    expect([exactNumerics.name, wasmNumerics.name, engineNumerics.name]).toEqual([
      'exact',
      'exact, WebAssembly',
      'engine',
    ]);
    expect(Object.isFrozen(wasmNumerics)).toBe(true);
  });

  it('make kernels for rows', () => {
    expect(exactNumerics.rowKernel(5)).toBeInstanceOf(PlainKernel);
    expect(wasmNumerics.rowKernel(5)).toBeInstanceOf(WasmKernel);
    const kernel = engineNumerics.rowKernel(2);
    kernel.arrays.copy.set([0, -0.3]);
    kernel.expSum(1, 0);
    expect(kernel.arrays.exps[1]).toBe(Math.exp(Math.fround(-0.3)));
  });
});
