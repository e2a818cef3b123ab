/** Looks through logits that came: is each one a logit, which are masked, and how large are they? */

import { largestLane, sumOfLanes } from './lanes';
import { blocksOfRow, incomingMaxOfRow, incomingOfRow, SAID } from './layout';

/** So many blocks that are not finite, and the rest is looked through entry by entry. */
const ODD_BLOCKS: i32 = 8;

/**
 * Fills incomingMax; the number of entries at -Infinity, or -1 where one is NaN or +Infinity. SAID[0]: the largest entry.
 *
 * A block whose entries have a finite sum has neither NaN nor an infinity in it, whichever way it is rounded.
 */
export function scan(): i32 {
  const blocks = blocksOfRow();
  let masked = 0;
  let odd = 0;
  let top: f32 = -Infinity;
  let block = 0;
  for (; block < blocks && odd < ODD_BLOCKS; block++) {
    const max = maxOfFinite(block);
    if (max == max) {
      top = max > top ? max : top;
      continue;
    }
    const found = scanOdd(block, block + 1);
    if (found < 0) return -1;
    masked += found;
    top = f32(load<f64>(SAID)) > top ? f32(load<f64>(SAID)) : top;
    odd++;
  }
  const found = scanOdd(block, blocks);
  if (found < 0) return -1;
  const last = f32(load<f64>(SAID));
  store<f64>(SAID, <f64>(last > top ? last : top));
  return masked + found;
}

/** The largest entry of a block, stored where it belongs; NaN where the sum of the entries is not finite. */
// @ts-expect-error: decorator
@inline
function maxOfFinite(block: i32): f32 {
  const from = incomingOfRow() + ((<usize>block) << 8);
  // four chains side by side: one would wait for its last maximum at every step
  let m0 = v128.load(from);
  let m1 = v128.load(from, 16);
  let m2 = v128.load(from, 32);
  let m3 = v128.load(from, 48);
  let s0 = m0;
  let s1 = m1;
  let s2 = m2;
  let s3 = m3;
  for (let i: usize = from + 64; i < from + 256; i += 64) {
    const x0 = v128.load(i);
    const x1 = v128.load(i, 16);
    const x2 = v128.load(i, 32);
    const x3 = v128.load(i, 48);
    s0 = f32x4.add(s0, x0);
    s1 = f32x4.add(s1, x1);
    s2 = f32x4.add(s2, x2);
    s3 = f32x4.add(s3, x3);
    m0 = f32x4.pmax(m0, x0);
    m1 = f32x4.pmax(m1, x1);
    m2 = f32x4.pmax(m2, x2);
    m3 = f32x4.pmax(m3, x3);
  }
  const sum = f32x4.add(f32x4.add(s0, s1), f32x4.add(s2, s3));
  const none = f32x4.mul(sum, f32x4.splat(0)); // 0, or NaN where a sum is not finite
  if (!v128.all_true<i32>(f32x4.eq(none, none))) return NaN;
  const max = largestLane(f32x4.pmax(f32x4.pmax(m0, m1), f32x4.pmax(m2, m3)));
  store<f32>(incomingMaxOfRow() + ((<usize>block) << 2), max);
  return max;
}

/** As `scan`, for some blocks, entry by entry. */
function scanOdd(from: i32, to: i32): i32 {
  const inf = f32x4.splat(Infinity);
  const low = f32x4.splat(-Infinity);
  const maxima = incomingMaxOfRow();
  let masked = i32x4.splat(0);
  let top = low;
  for (let block = from; block < to; block++) {
    const at = incomingOfRow() + ((<usize>block) << 8);
    let m0 = low;
    let m1 = low;
    let good = i32x4.splat(-1);
    for (let i: usize = 0; i < 256; i += 32) {
      const x0 = v128.load(at + i);
      const x1 = v128.load(at + i, 16);
      good = v128.and(good, v128.and(f32x4.lt(x0, inf), f32x4.lt(x1, inf)));
      masked = i32x4.sub(masked, i32x4.add(f32x4.eq(x0, low), f32x4.eq(x1, low)));
      m0 = f32x4.pmax(m0, x0);
      m1 = f32x4.pmax(m1, x1);
    }
    if (!v128.all_true<i32>(good)) return -1;
    const max = f32x4.pmax(m0, m1);
    store<f32>(maxima + ((<usize>block) << 2), largestLane(max));
    top = f32x4.pmax(top, max);
  }
  store<f64>(SAID, <f64>largestLane(top));
  return sumOfLanes(masked);
}
