/** Masks and lists of ids. */

import { largestLane, sumOfLanes } from './lanes';
import { blockMaxOfRow, blocksOfRow, copyOfRow, idsOfRow } from './layout';

/**
 * Sets the entries whose bit in the words at `ids`, two to a block, is 0 to -Infinity, and blockMax with them; how many were
 * above it.
 */
export function keepMask(): i32 {
  const words = idsOfRow();
  const blocks = blocksOfRow();
  const copy = copyOfRow();
  const blockMax = blockMaxOfRow();
  const low = f32x4.splat(-Infinity);
  const none = i32x4.splat(0);
  let removed = none;
  for (let block = 0; block < blocks; block++) {
    const mask = words + ((<usize>block) << 3);
    if (load<i64>(mask) == -1) continue;
    let max = low;
    for (let half: usize = 0; half < 2; half++) {
      const from = copy + ((<usize>block) << 8) + (half << 7);
      const word = i32x4.splat(load<i32>(mask + (half << 2)));
      let bits = i32x4(1, 2, 4, 8);
      for (let i: usize = 0; i < 128; i += 16) {
        const x = v128.load(from + i);
        const out = i32x4.eq(v128.and(word, bits), none);
        removed = i32x4.sub(removed, v128.and(out, f32x4.gt(x, low)));
        const left = v128.bitselect(low, x, out);
        v128.store(from + i, left);
        max = f32x4.pmax(max, left);
        bits = i32x4.shl(bits, 4);
      }
    }
    store<f32>(blockMax + ((<usize>block) << 2), largestLane(max));
  }
  return sumOfLanes(removed);
}

/** Writes the ids whose entry is at least `threshold` to `ids`, ascending; their number. */
export function collect(threshold: f32): i32 {
  const blocks = blocksOfRow();
  const copy = copyOfRow();
  const blockMax = blockMaxOfRow();
  const ids = idsOfRow();
  const t = f32x4.splat(threshold);
  let count: i32 = 0;
  for (let block = 0; block < blocks; block++) {
    if (load<f32>(blockMax + ((<usize>block) << 2)) < threshold) continue;
    const from = block << 6;
    for (let i = from; i < from + 64; i += 4) {
      let hits = v128.bitmask<i32>(f32x4.ge(v128.load(copy + ((<usize>i) << 2)), t));
      while (hits != 0) {
        store<i32>(ids + ((<usize>count) << 2), i + ctz(hits));
        count++;
        hits &= hits - 1;
      }
    }
  }
  return count;
}
