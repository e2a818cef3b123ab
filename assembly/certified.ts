/**
 * Passes that approximate with a proved bound: docs/CERTIFIED.md has the proofs, src/numerics/certified/ the same passes
 * without SIMD, with the derivation of each constant.
 */
import { sumExactly } from './exact-sum';
import {
  BUFFER,
  beforeOfRow,
  blockMaxOfRow,
  blocksOfRow,
  copyOfRow,
  editIdsOfRow,
  editValuesOfRow,
  headsOfRow,
  idsOfRow,
  listLogitsOfRow,
  listMassesOfRow,
  massesOfRow,
  nextOfRow,
  SAID,
  SINGLES,
  STEPS,
} from './layout';
import { multiplyAdd2, multiplyAdd4 } from './multiply-add';

const LOG2_E: f64 = 1.4426950408889634;
/** Below it a sum is too small for the bounds of exps that are clamped. */
const LEAST_SUM: f64 = 1e-270;
/** So many blocks in a row that are open, and the next ones are not tried. */
const PATIENCE: i32 = 8;

const AT_INVERSE: usize = 0;
const AT_SHIFT: usize = 8;
const AT_HIGH: usize = 16;
const AT_LOW: usize = 24;
const AT_SIXTH: usize = 32;
const AT_HALF: usize = 40;
const AT_ABOVE: usize = 48;
const AT_LEAST: usize = 56;
/** In the order of the places above: src/numerics/certified/below.ts. In memory for the reason in exact-exp.ts. */
const CONSTANTS = memory.data<f64>([
  2954.639443740597, 6755399441055744, -0.0003384507717782981, 2.0512280628325608e-14, 0.16666666666666666, 0.5,
  1.0000000000000009, -690,
]);

// @ts-expect-error: decorator
@inline
function constant(place: usize): v128 {
  return v128.load_splat<u64>(CONSTANTS + place);
}

/** v with v <= exp(x) <= v * (1 + 2^-50), of two x in [-690, 0]. The constants are the caller's, who keeps them ready. */
// @ts-expect-error: decorator
@inline
function below(x: v128, inverse: v128, shift: v128, high: v128, low: v128, sixth: v128, half: v128): v128 {
  const z = multiplyAdd2(x, inverse, shift);
  const at0 = <usize>(i32x4.extract_lane(z, 0) & 2047) << 3;
  const at1 = <usize>(i32x4.extract_lane(z, 2) & 2047) << 3;
  const step = v128.load_lane<u64>(at1, v128.load64_zero(at0, STEPS), 1, STEPS);
  const kd = f64x2.sub(z, shift);
  const r = multiplyAdd2(kd, low, multiplyAdd2(kd, high, x));
  const s = i64x2.add(step, i64x2.shl(z, 41));
  const t = multiplyAdd2(f64x2.mul(r, r), multiplyAdd2(r, sixth, half), r);
  return multiplyAdd2(s, t, s);
}

/** As `below`, where speed does not matter. */
function belowOne(x: f64): f64 {
  const at = f64x2.pmax(f64x2.splat(x), constant(AT_LEAST));
  const v = below(
    at, constant(AT_INVERSE), constant(AT_SHIFT), constant(AT_HIGH), constant(AT_LOW), constant(AT_SIXTH),
    constant(AT_HALF),
  );
  return f64x2.extract_lane(v, 0);
}

/** l / divisor - max of the two entries at `from`, at least -690. */
// @ts-expect-error: decorator
@inline
function distance(from: usize, divided: bool, d: v128, m: v128, least: v128): v128 {
  const l = f64x2.promote_low_f32x4(v128.load64_zero(from));
  return f64x2.pmax(f64x2.sub(divided ? f64x2.div(l, d) : l, m), least);
}

/** Adds two v to the lower sum, and what they are at most to the upper one. */
// @ts-expect-error: decorator
@inline
function addBounds(sums: v128, v: v128, above: v128): v128 {
  const up = f64x2.mul(v, above);
  sums = f64x2.add(sums, v128.shuffle<i64>(v, up, 0, 2));
  return f64x2.add(sums, v128.shuffle<i64>(v, up, 1, 3));
}

/** Whether a block whose largest logit is this cannot move the sum s. */
// @ts-expect-error: decorator
@inline
function isLost(top: f64, s: f64): bool {
  return top * LOG2_E < <f64>((reinterpret<i64>(s) >> 52) - 1023 - 54);
}

/** The sum of the exact exps in ascending id order, to the bit; the sum before each block to `before`. */
export function sum(divisor: f64, max: f64): f64 {
  const blocks = blocksOfRow();
  const before = beforeOfRow();
  const heads = headsOfRow();
  let s: f64 = 0;
  let streak = 0;
  let block = 0;
  while (true) {
    const from = block;
    block = divisor == 1 ? runOn(from, s, 1, max, false) : runOn(from, s, divisor, max, true);
    s = load<f64>(SAID);
    if (block > from) streak = 0;
    if (block == blocks) break;
    if (s >= LEAST_SUM && load<i32>(heads + (<usize>block << 2)) != 0) {
      const added = addEdited(block, s, divisor, max);
      if (added >= 0) {
        s = added;
        block++;
        continue;
      }
    }
    streak++;
    // where one after the other is open, the next ones are not tried
    const to = streak < PATIENCE ? block + 1 : min(block + 1 + (streak << 2), blocks);
    s = sumExactly(divisor, max, block, to, s);
    block = to;
  }
  store<f64>(before + (<usize>blocks << 3), s);
  return s;
}

/** Goes on from s, in front of `block`, up to the first block that has edits or is open; s there is SAID[0]. */
// @ts-expect-error: decorator
@inline
function runOn(start: i32, sumBefore: f64, divisor: f64, max: f64, divided: bool): i32 {
  const inverse = constant(AT_INVERSE);
  const shift = constant(AT_SHIFT);
  const high = constant(AT_HIGH);
  const low = constant(AT_LOW);
  const sixth = constant(AT_SIXTH);
  const half = constant(AT_HALF);
  const above = constant(AT_ABOVE);
  const least = constant(AT_LEAST);
  const m = f64x2.splat(max);
  const d = f64x2.splat(divisor);
  const blocks = blocksOfRow();
  const copy = copyOfRow();
  const before = beforeOfRow();
  const heads = headsOfRow();
  const blockMax = blockMaxOfRow();
  let s = sumBefore;
  let block = start;
  for (; block < blocks; block++) {
    store<f64>(before + (<usize>block << 3), s);
    if (load<i32>(heads + (<usize>block << 2)) != 0) break;
    if (s < LEAST_SUM) break;
    const largest = <f64>load<f32>(blockMax + (<usize>block << 2));
    if (isLost((divided ? largest / divisor : largest) - max, s)) continue;
    const from = copy + (<usize>block << 8);
    let sums = f64x2.splat(s);
    for (let i: usize = from; i < from + 256; i += 16) {
      const x0 = distance(i, divided, d, m, least);
      sums = addBounds(sums, below(x0, inverse, shift, high, low, sixth, half), above);
      const x1 = distance(i + 8, divided, d, m, least);
      sums = addBounds(sums, below(x1, inverse, shift, high, low, sixth, half), above);
    }
    const lower = f64x2.extract_lane(sums, 0);
    if (lower != f64x2.extract_lane(sums, 1)) break;
    s = lower;
  }
  store<f64>(SAID, s);
  return block;
}

/** s with the entries of a block that has edits; -1 where it is open. */
function addEdited(block: i32, s: f64, divisor: f64, max: f64): f64 {
  const inverse = constant(AT_INVERSE);
  const shift = constant(AT_SHIFT);
  const high = constant(AT_HIGH);
  const low = constant(AT_LOW);
  const sixth = constant(AT_SIXTH);
  const half = constant(AT_HALF);
  const above = constant(AT_ABOVE);
  const least = constant(AT_LEAST);
  const m = f64x2.splat(max);
  const d = f64x2.splat(divisor);
  const from = copyOfRow() + (<usize>block << 8);
  for (let i: usize = 0; i < 256; i += 8) {
    const x = distance(from + i, true, d, m, least);
    v128.store(BUFFER + (i << 1), below(x, inverse, shift, high, low, sixth, half));
  }
  for (let edit = load<i32>(headsOfRow() + (<usize>block << 2)); edit != 0; ) {
    const index = <usize>(edit - 1);
    const id = load<i32>(editIdsOfRow() + (index << 2)) - (block << 6);
    const x = load<f64>(editValuesOfRow() + (index << 3)) / divisor - max;
    store<f64>(BUFFER + (<usize>id << 3), belowOne(x));
    edit = load<i32>(nextOfRow() + (index << 2));
  }
  let sums = f64x2.splat(s);
  for (let i: usize = 0; i < 512; i += 16) sums = addBounds(sums, v128.load(BUFFER + i), above);
  const lower = f64x2.extract_lane(sums, 0);
  return lower == f64x2.extract_lane(sums, 1) ? lower : -1;
}

/** About the sum of the exps of each block, without edits, to `masses`, as the bounds of `below` say; the sum of all. */
export function massesByDouble(divisor: f64, max: f64): f64 {
  const inverse = constant(AT_INVERSE);
  const shift = constant(AT_SHIFT);
  const high = constant(AT_HIGH);
  const low = constant(AT_LOW);
  const sixth = constant(AT_SIXTH);
  const half = constant(AT_HALF);
  const least = constant(AT_LEAST);
  const m = f64x2.splat(max);
  const d = f64x2.splat(divisor);
  const blocks = blocksOfRow();
  const copy = copyOfRow();
  const masses = massesOfRow();
  let total: f64 = 0;
  for (let block = 0; block < blocks; block++) {
    const from = copy + (<usize>block << 8);
    let sums = f64x2.splat(0);
    for (let i: usize = from; i < from + 256; i += 8) {
      sums = f64x2.add(sums, below(distance(i, true, d, m, least), inverse, shift, high, low, sixth, half));
    }
    const mass = f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1);
    store<f64>(masses + (<usize>block << 3), mass);
    total += mass;
  }
  return total;
}

/** Writes v for the first `count` list logits less max, and maybe one more, to the masses of the list. */
export function boundList(count: i32, max: f64): void {
  const inverse = constant(AT_INVERSE);
  const shift = constant(AT_SHIFT);
  const high = constant(AT_HIGH);
  const low = constant(AT_LOW);
  const sixth = constant(AT_SIXTH);
  const half = constant(AT_HALF);
  const least = constant(AT_LEAST);
  const m = f64x2.splat(max);
  const logits = listLogitsOfRow();
  const to = listMassesOfRow();
  for (let i: usize = 0; i < <usize>count << 3; i += 16) {
    const x = f64x2.pmax(f64x2.sub(v128.load(logits + i), m), least);
    v128.store(to + i, below(x, inverse, shift, high, low, sixth, half));
  }
}

/** A constant of the float32 exps in all lanes. */
// @ts-expect-error: decorator
@inline
function single(index: usize): v128 {
  return v128.load_splat<u32>(SINGLES + (index << 2));
}

/** About exp(x / divisor) in the unit of the row, of four logits at `from`: src/numerics/certified/singles.ts. */
// @ts-expect-error: decorator
@inline
function about(
  l: v128,
  least: v128,
  base: v128,
  inverse: v128,
  shift: v128,
  high: v128,
  low: v128,
  c1: v128,
  c2: v128,
  c3: v128,
  c4: v128,
  c5: v128,
  one: v128,
): v128 {
  const x = f32x4.sub(f32x4.pmax(l, least), base);
  const z = multiplyAdd4(x, inverse, shift);
  const k = f32x4.sub(z, shift);
  const r = multiplyAdd4(k, low, multiplyAdd4(k, high, x));
  const r2 = f32x4.mul(r, r);
  const a = multiplyAdd4(r, c1, one);
  const b = multiplyAdd4(r, c3, c2);
  const c = multiplyAdd4(r, c5, c4);
  const p = multiplyAdd4(r2, multiplyAdd4(r2, c, b), a);
  return i32x4.add(p, i32x4.shl(z, 23));
}

/** The four float32 of x as two float64 each of which is the sum of two. */
// @ts-expect-error: decorator
@inline
function widened(x: v128): v128 {
  return f64x2.add(f64x2.promote_low_f32x4(x), f64x2.promote_low_f32x4(v128.shuffle<i64>(x, x, 1, 0)));
}

/** About the sum of the exps of each block, without edits, to `masses`, in float32 arithmetic; the sum of all. */
export function massesBySingle(): f64 {
  const inverse = single(0);
  const shift = single(1);
  const high = single(2);
  const low = single(3);
  const least = single(4);
  const c1 = single(5);
  const c2 = single(6);
  const c3 = single(7);
  const c4 = single(8);
  const c5 = single(9);
  const base = single(10);
  const one = single(11);
  const blocks = blocksOfRow();
  const copy = copyOfRow();
  const masses = massesOfRow();
  let total: f64 = 0;
  for (let block = 0; block < blocks; block++) {
    const from = copy + (<usize>block << 8);
    let sums = f64x2.splat(0);
    for (let i: usize = from; i < from + 256; i += 64) {
      const e0 = about(v128.load(i), least, base, inverse, shift, high, low, c1, c2, c3, c4, c5, one);
      const e1 = about(v128.load(i, 16), least, base, inverse, shift, high, low, c1, c2, c3, c4, c5, one);
      const e2 = about(v128.load(i, 32), least, base, inverse, shift, high, low, c1, c2, c3, c4, c5, one);
      const e3 = about(v128.load(i, 48), least, base, inverse, shift, high, low, c1, c2, c3, c4, c5, one);
      sums = f64x2.add(sums, widened(f32x4.add(f32x4.add(e0, e1), f32x4.add(e2, e3))));
    }
    const mass = f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1);
    store<f64>(masses + (<usize>block << 3), mass);
    total += mass;
  }
  return total;
}

/**
 * Writes the ids whose entry is at least `threshold` to `ids`, ascending; their number. SAID[1]: about the sum of the exps of
 * all others, in float32 arithmetic.
 */
export function restBySingle(threshold: f32): i32 {
  const inverse = single(0);
  const shift = single(1);
  const high = single(2);
  const low = single(3);
  const least = single(4);
  const c1 = single(5);
  const c2 = single(6);
  const c3 = single(7);
  const c4 = single(8);
  const c5 = single(9);
  const base = single(10);
  const one = single(11);
  const t = f32x4.splat(threshold);
  const blocks = blocksOfRow();
  const copy = copyOfRow();
  const ids = idsOfRow();
  let sums = f64x2.splat(0);
  let count: i32 = 0;
  for (let block = 0; block < blocks; block++) {
    const from = copy + (<usize>block << 8);
    let bits: u64 = 0;
    for (let i: usize = 0; i < 256; i += 64) {
      const l0 = v128.load(from + i);
      const l1 = v128.load(from + i, 16);
      const l2 = v128.load(from + i, 32);
      const l3 = v128.load(from + i, 48);
      const h0 = f32x4.ge(l0, t);
      const h1 = f32x4.ge(l1, t);
      const h2 = f32x4.ge(l2, t);
      const h3 = f32x4.ge(l3, t);
      const hits = i8x16.narrow_i16x8_s(i16x8.narrow_i32x4_s(h0, h1), i16x8.narrow_i32x4_s(h2, h3));
      bits |= <u64>(<u32>v128.bitmask<i8>(hits)) << (i >> 2);
      const e0 = v128.andnot(about(l0, least, base, inverse, shift, high, low, c1, c2, c3, c4, c5, one), h0);
      const e1 = v128.andnot(about(l1, least, base, inverse, shift, high, low, c1, c2, c3, c4, c5, one), h1);
      const e2 = v128.andnot(about(l2, least, base, inverse, shift, high, low, c1, c2, c3, c4, c5, one), h2);
      const e3 = v128.andnot(about(l3, least, base, inverse, shift, high, low, c1, c2, c3, c4, c5, one), h3);
      sums = f64x2.add(sums, widened(f32x4.add(f32x4.add(e0, e1), f32x4.add(e2, e3))));
    }
    while (bits != 0) {
      store<i32>(ids + (<usize>count << 2), (block << 6) + <i32>ctz(bits));
      count++;
      bits &= bits - 1;
    }
  }
  store<f64>(SAID + 8, f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1));
  return count;
}

/**
 * Adds the terms of the entropy to SAID[0], block by block from `start` on, up to the first block that has edits, has a
 * likely id, or is open; that block. lower and upper: 1 / Z, made so much smaller and larger that the true term lies between.
 */
export function entropy(start: i32, divisor: f64, max: f64, logTotal: f64, lower: f64, upper: f64): i32 {
  const inverse = constant(AT_INVERSE);
  const shift = constant(AT_SHIFT);
  const high = constant(AT_HIGH);
  const low = constant(AT_LOW);
  const sixth = constant(AT_SIXTH);
  const half = constant(AT_HALF);
  const least = constant(AT_LEAST);
  const m = f64x2.splat(max);
  const d = f64x2.splat(divisor);
  const log = f64x2.splat(logTotal);
  const scales = f64x2.replace_lane(f64x2.splat(lower), 1, upper);
  const blocks = blocksOfRow();
  const copy = copyOfRow();
  const heads = headsOfRow();
  const blockMax = blockMaxOfRow();
  let s = load<f64>(SAID);
  let block = start;
  for (; block < blocks; block++) {
    if (s < LEAST_SUM || load<i32>(heads + (<usize>block << 2)) != 0) break;
    const top = <f64>load<f32>(blockMax + (<usize>block << 2)) / divisor - max;
    if (isLost(top + 7, s)) continue; // the logarithms are below 2^10
    if (logTotal - top < 1) break;
    const from = copy + (<usize>block << 8);
    let sums = f64x2.splat(s);
    for (let i: usize = from; i < from + 256; i += 8) {
      const x = distance(i, true, d, m, least);
      const term = f64x2.mul(below(x, inverse, shift, high, low, sixth, half), f64x2.sub(log, x));
      sums = f64x2.add(sums, f64x2.mul(v128.shuffle<i64>(term, term, 0, 0), scales));
      sums = f64x2.add(sums, f64x2.mul(v128.shuffle<i64>(term, term, 1, 1), scales));
    }
    const found = f64x2.extract_lane(sums, 0);
    if (found != f64x2.extract_lane(sums, 1)) break;
    s = found;
  }
  store<f64>(SAID, s);
  return block;
}
