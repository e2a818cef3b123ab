/**
 * D5: the place where the end of a text occurred before, beside looking through all of it; and at what cost.
 */
import { describe, expect, it } from 'vitest';
import { type Occurrence, Occurrences } from '../../../src/decode/speculation/occurrences.js';
import { Pcg32 } from '../../../src/random/index.js';

/** Looks at every earlier place. */
function plainly(ids: readonly number[], longest: number): Occurrence | undefined {
  let best: Occurrence | undefined;
  for (let end = ids.length - 1; end > 0; end--) {
    let length = 0;
    while (length < longest && length < end && ids[end - 1 - length] === ids[ids.length - 1 - length]) length++;
    if (length > (best?.length ?? 0)) best = { end, length };
  }
  return best;
}

/** Random ids that often come in the same order as before. */
function randomIds(random: Pcg32, count: number, vocabSize: number): number[] {
  const ids: number[] = [];
  while (ids.length < count) {
    const from = random.below(ids.length + 1);
    if (random.below(2) === 0) ids.push(random.below(vocabSize));
    else ids.push(...ids.slice(from, from + random.below(12)));
  }
  return ids.slice(0, count);
}

describe('Occurrences', () => {
  it('finds the longest and latest that looking through all of the text finds, as it grows', () => {
    const random = new Pcg32(5, 5);
    for (let round = 0; round < 60; round++) {
      const vocabSize = 1 + (round % 5);
      const longest = 1 + random.below(9);
      const all = randomIds(random, 60, vocabSize);
      const ids: number[] = [];
      const occurrences = new Occurrences(ids, longest, vocabSize);
      while (ids.length < all.length) {
        ids.push(...all.slice(ids.length, ids.length + 1 + random.below(3)));
        expect(occurrences.find()).toEqual(plainly(ids, longest));
      }
    }
  });

  it('looks at as many ids for a place at the end of a long text as of a short one', () => {
    let reads = 0;
    const target: number[] = [];
    const ids = new Proxy(target, {
      get(array, name) {
        if (name !== 'length') reads++;
        return Reflect.get(array, name);
      },
    });
    const occurrences = new Occurrences(ids, 8, 50);
    const random = new Pcg32(6, 5);
    const most = [0, 0];
    for (const id of randomIds(random, 6000, 50)) {
      target.push(id);
      reads = 0;
      occurrences.find();
      const half = target.length <= 3000 ? 0 : 1;
      most[half] = Math.max(most[half] as number, reads);
    }
    expect(most[1]).toBeLessThanOrEqual(6 * 8); // for each of eight depths: enter twice, find, compare
    expect(most[1]).toBeLessThanOrEqual(2 * (most[0] as number));
  });
});
