import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Edits } from '../../src/numerics/edits.js';
import { exactNumerics } from '../../src/numerics/index.js';
import { kthLargest } from '../../src/ranking/kth-largest.js';

/** The entries in the order of their spelling, -0 told from 0. */
function spelled(values: Float32Array): string[] {
  return Array.from(values, (x) => (Object.is(x, -0) ? '-0' : String(x))).sort();
}

describe('kthLargest', () => {
  const float = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.float({ noNaN: true }), fc.constant(-Infinity));

  it('is the entry at that place of the sorted list', () => {
    fc.assert(
      fc.property(fc.array(float, { minLength: 1, maxLength: 80 }), fc.nat(), fc.nat(), (list, a, b) => {
        const length = 1 + (a % list.length);
        const rank = 1 + (b % length);
        const values = Float32Array.from(list);
        const sorted = [...values.subarray(0, length)].sort((x, y) => (x === y ? 0 : y > x ? 1 : -1));
        expect(kthLargest(values, length, rank) === sorted[rank - 1]).toBe(true);
        expect(spelled(values)).toEqual(spelled(Float32Array.from(list)));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['ascending', (i: number) => i],
    ['descending', (i: number) => -i],
    ['all equal', () => 7],
    ['up and down', (i: number) => Math.min(i, 500 - i)],
  ])('is found in a list that is %s', (_, make) => {
    const list = Array.from({ length: 500 }, (_value, i) => make(i));
    const sorted = [...list].sort((x, y) => y - x);
    for (const rank of [1, 2, 250, 499, 500]) {
      expect(kthLargest(Float32Array.from(list), 500, rank)).toBe(sorted[rank - 1]);
    }
  });
});

describe('Edits', () => {
  const ids = fc.array(fc.tuple(fc.nat(199), fc.double({ noNaN: true })), { maxLength: 60 });

  it('hold the last value of each id, linked by block, and nothing after they are cleared', () => {
    const { arrays } = exactNumerics.rowKernel(200);
    const edits = new Edits(arrays);
    fc.assert(
      fc.property(ids, (values) => {
        const expected = new Map<number, number>();
        for (const [id, value] of values) {
          if (expected.has(id)) edits.change(id, value);
          else edits.add(id, value);
          expected.set(id, value);
        }
        expect(edits.count).toBe(expected.size);
        const held = Array.from({ length: edits.count }, (_, i) => [edits.idAt(i), edits.valueAt(i)] as const);
        expect(new Map(held)).toEqual(expected);
        for (let id = 0; id < 200; id++) {
          expect(edits.valueOf(id)).toBe(expected.get(id) ?? -Infinity);
        }
        expect([...linked(arrays)].sort()).toEqual([...expected.keys()].sort());
        edits.clear();
        expect([edits.count, edits.valueOf(0)]).toEqual([0, -Infinity]);
        expect(arrays.heads.every((head) => head === 0)).toBe(true);
      }),
    );
  });
});

/** The ids that the lists of the blocks lead to, each in its own block. */
function* linked({ heads, next, editIds }: ReturnType<typeof exactNumerics.rowKernel>['arrays']): Generator<number> {
  for (const [block, head] of heads.entries()) {
    for (let edit = head; edit !== 0; edit = next[edit - 1] as number) {
      const id = editIds[edit - 1] as number;
      expect(Math.floor(id / 64)).toBe(block);
      yield id;
    }
  }
}
