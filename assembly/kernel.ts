/**
 * The passes over a vocabulary in WebAssembly, with the same bits as the plain ones (src/numerics/plain-kernel.ts).
 *
 * AssemblyScript; `npm run build:kernel` compiles it to src/numerics/wasm-bytes.ts. It has no memory of its own beyond
 * what it is given: every function takes the addresses of the arrays. Address 0 holds the 128 pairs (T, H) of the exp.
 * Names and method as in src/numerics/exp.ts, where the bound of the fast path is proved.
 */
const BLOCK: i32 = 64;
const INV_LN2_N: f64 = 184.6649652337873;
const NEG_LN2_HI_N: f64 = -0.005415212348111709;
const NEG_LN2_LO_N: f64 = -1.2864023111638346e-14;
const SHIFT: f64 = 6755399441055744;
const C2: f64 = 0.49999999999996786;
const C3: f64 = 0.16666666666665886;
const C4: f64 = 0.0416666808410674;
const C5: f64 = 0.008333335853059549;
const DELTA: f64 = 1.75e-18; // a share of H, as in exp.ts
const SAFE_R: f64 = 0.002707606;
const LOWEST: f64 = -512;
const FAR: f64 = -1024; // exp of it is 0
const SPLIT: f64 = 134217729; // 2^27 + 1: Veltkamp's constant
const EXPONENT: i64 = 0xfff0000000000000; // the bits of sign and exponent
const ABOVE: f64 = 1.0000000000000009; // 1 + 2^-50
const BELOW: f64 = 0.9999999999999991; // 1 - 2^-50

/** Fills blockMax; the number of entries at -Infinity, or -1 - i for the first that is NaN or +Infinity. */
export function scan(copy: usize, blockMax: usize, blocks: i32): i32 {
  const inf = f32x4.splat(Infinity);
  const low = f32x4.splat(-Infinity);
  let masked = i32x4.splat(0);
  for (let block = 0; block < blocks; block++) {
    const from = copy + ((<usize>block) << 8);
    // four chains side by side: one would wait for its last maximum at every step
    let m0 = low;
    let m1 = low;
    let m2 = low;
    let m3 = low;
    let good = i32x4.splat(-1);
    for (let i: usize = 0; i < 256; i += 64) {
      const x0 = v128.load(from + i);
      const x1 = v128.load(from + i, 16);
      const x2 = v128.load(from + i, 32);
      const x3 = v128.load(from + i, 48);
      const good01 = v128.and(f32x4.lt(x0, inf), f32x4.lt(x1, inf));
      const good23 = v128.and(f32x4.lt(x2, inf), f32x4.lt(x3, inf));
      good = v128.and(good, v128.and(good01, good23));
      const masked01 = i32x4.add(f32x4.eq(x0, low), f32x4.eq(x1, low));
      const masked23 = i32x4.add(f32x4.eq(x2, low), f32x4.eq(x3, low));
      masked = i32x4.sub(masked, i32x4.add(masked01, masked23));
      m0 = f32x4.pmax(m0, x0);
      m1 = f32x4.pmax(m1, x1);
      m2 = f32x4.pmax(m2, x2);
      m3 = f32x4.pmax(m3, x3);
    }
    if (!v128.all_true<i32>(good)) return -1 - firstBad(copy, block);
    const max = f32x4.pmax(f32x4.pmax(m0, m1), f32x4.pmax(m2, m3));
    store<f32>(blockMax + ((<usize>block) << 2), largestLane(max));
  }
  return sumOfLanes(masked);
}

// @ts-expect-error: decorator
@inline
function largestLane(x: v128): f32 {
  const a = f32x4.pmax(x, v128.shuffle<i32>(x, x, 2, 3, 0, 1));
  const b = f32x4.pmax(a, v128.shuffle<i32>(a, a, 1, 0, 3, 2));
  return f32x4.extract_lane(b, 0);
}

// @ts-expect-error: decorator
@inline
function sumOfLanes(x: v128): i32 {
  return i32x4.extract_lane(x, 0) + i32x4.extract_lane(x, 1) + i32x4.extract_lane(x, 2) + i32x4.extract_lane(x, 3);
}

function firstBad(copy: usize, block: i32): i32 {
  let i = block * BLOCK;
  while (load<f32>(copy + (<usize>i << 2)) < Infinity) i++;
  return i;
}

/**
 * Sets the entries whose bit in `words`, two to a block, is 0 to -Infinity, and blockMax with them; how many were above it.
 */
export function keepMask(copy: usize, blockMax: usize, blocks: i32, words: usize): i32 {
  const low = f32x4.splat(-Infinity);
  const none = i32x4.splat(0);
  let removed = none;
  for (let block = 0; block < blocks; block++) {
    const mask = words + (<usize>block << 3);
    if (load<i64>(mask) == -1) continue;
    let max = low;
    for (let half: usize = 0; half < 2; half++) {
      const from = copy + (<usize>block << 8) + (half << 7);
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
    store<f32>(blockMax + (<usize>block << 2), largestLane(max));
  }
  return sumOfLanes(removed);
}

/** Writes the ids whose entry is at least `threshold` to `ids`, ascending; their number. */
export function collect(copy: usize, blockMax: usize, blocks: i32, threshold: f32, ids: usize): i32 {
  const t = f32x4.splat(threshold);
  let count: i32 = 0;
  for (let block = 0; block < blocks; block++) {
    if (load<f32>(blockMax + (<usize>block << 2)) < threshold) continue;
    const from = block * BLOCK;
    for (let i = from; i < from + BLOCK; i += 4) {
      let hits = v128.bitmask<i32>(f32x4.ge(v128.load(copy + (<usize>i << 2)), t));
      while (hits != 0) {
        store<i32>(ids + (<usize>count << 2), i + ctz(hits));
        count++;
        hits &= hits - 1;
      }
    }
  }
  return count;
}

/**
 * Writes exp(l / divisor - max) of every id to exps; their sum in ascending id order. A sum in order waits for each of its
 * additions, so a block is added up while the next one is computed.
 */
export function expSum(
  copy: usize,
  length: i32,
  divisor: f64,
  max: f64,
  exps: usize,
  heads: usize,
  next: usize,
  editIds: usize,
  editValues: usize,
): f64 {
  let sum: f64 = 0;
  let added = 0;
  for (let from = 0, block = 0; from < length; from += BLOCK, block++) {
    const to = min(from + BLOCK, length);
    let withLast: f64;
    if (hasMasked(copy, from)) {
      if (divisor == 1) withLast = expBlock(copy, from, to, 1, max, exps, sum, false, true);
      else withLast = expBlock(copy, from, to, divisor, max, exps, sum, true, true);
    } else if (divisor == 1) withLast = expBlock(copy, from, to, 1, max, exps, sum, false, false);
    else withLast = expBlock(copy, from, to, divisor, max, exps, sum, true, false);
    if (block > 0) {
      sum = withLast;
      added += (to - from + 1) & -2;
    }
    const edit = load<i32>(heads + (<usize>block << 2));
    if (edit != 0) expEdits(edit, divisor, max, exps, next, editIds, editValues);
  }
  for (let i = added; i < length; i++) sum += load<f64>(exps + (<usize>i << 3));
  return sum;
}

/** Whether an entry of the block from `from` on is -Infinity. */
// @ts-expect-error: decorator
@inline
function hasMasked(copy: usize, from: i32): bool {
  const block = copy + (<usize>from << 2);
  let least = v128.load(block);
  for (let i: usize = 16; i < 4 * BLOCK; i += 16) least = f32x4.pmin(least, v128.load(block + i));
  return v128.any_true(f32x4.eq(least, f32x4.splat(-Infinity)));
}

/**
 * Writes the exps of the ids from..to-1; `sum` with those of the block before, pair by pair, as many as there are here.
 * `divided` says whether the divisor is not 1, `masked` whether there is a -Infinity among them, each of which the fast path
 * would leave open.
 */
// @ts-expect-error: decorator
@inline
function expBlock(
  copy: usize,
  from: i32,
  to: i32,
  divisor: f64,
  max: f64,
  exps: usize,
  sum: f64,
  divided: bool,
  masked: bool,
): f64 {
  const m = f64x2.splat(max);
  const d = f64x2.splat(divisor);
  for (let i = from; i < to; i += 2) {
    const at = exps + (<usize>i << 3);
    sum += load<f64>(at - 8 * BLOCK);
    sum += load<f64>(at - 8 * BLOCK + 8);
    const l = f64x2.promote_low_f32x4(v128.load64_zero(copy + (<usize>i << 2)));
    const x = f64x2.sub(divided ? f64x2.div(l, d) : l, m);
    if (masked) {
      const far = f64x2.le(x, f64x2.splat(FAR));
      v128.store(at, v128.andnot(exp2(v128.andnot(x, far)), far)); // in place of exp(x), which is 0, exp(0)
    } else v128.store(at, exp2(x));
  }
  return sum;
}

/** Writes the exps of the edits of a block, the first of which is `first`. */
function expEdits(
  first: i32,
  divisor: f64,
  max: f64,
  exps: usize,
  next: usize,
  editIds: usize,
  editValues: usize,
): void {
  for (let edit = first; edit != 0; ) {
    const index = <usize>(edit - 1);
    const id = load<i32>(editIds + (index << 2));
    const x = f64x2.splat(load<f64>(editValues + (index << 3)) / divisor - max);
    store<f64>(exps + (<usize>id << 3), f64x2.extract_lane(exp2(x), 0));
    edit = load<i32>(next + (index << 2));
  }
}

/** exp of two numbers at most 0, by the fast path where it is decided. */
// @ts-expect-error: decorator
@inline
function exp2(x: v128): v128 {
  const z = shifted(x);
  const kd = f64x2.sub(z, f64x2.splat(SHIFT));
  const r = f64x2.add(
    f64x2.add(x, f64x2.mul(kd, f64x2.splat(NEG_LN2_HI_N))),
    f64x2.mul(kd, f64x2.splat(NEG_LN2_LO_N)),
  );
  const pair0 = v128.load((<usize>i64x2.extract_lane(z, 0) & 127) << 4);
  const pair1 = v128.load((<usize>i64x2.extract_lane(z, 1) & 127) << 4);
  const tail = v128.shuffle<i64>(pair0, pair1, 0, 2);
  const head = v128.shuffle<i64>(pair0, pair1, 1, 3);
  const t = f64x2.add(f64x2.add(f64x2.add(tail, r), inner(r)), outer(r));
  const p = f64x2.mul(head, t);
  const v = f64x2.add(head, p);
  const c = f64x2.sub(p, f64x2.sub(v, head));
  const delta = f64x2.mul(head, f64x2.splat(DELTA));
  const differs = f64x2.ne(f64x2.add(v, f64x2.add(c, delta)), f64x2.add(v, f64x2.sub(c, delta)));
  const open = v128.or(differs, outside(x, r));
  const y = scaled(v, z);
  return v128.any_true(open) ? openLanes(x, y, open) : y;
}

/** x * 128 / ln 2 as an integer k in the low bits. */
// @ts-expect-error: decorator
@inline
function shifted(x: v128): v128 {
  return f64x2.add(f64x2.mul(x, f64x2.splat(INV_LN2_N)), f64x2.splat(SHIFT));
}

/** r^2 (C2 + C3 r). */
// @ts-expect-error: decorator
@inline
function inner(r: v128): v128 {
  return f64x2.mul(f64x2.mul(r, r), f64x2.add(f64x2.splat(C2), f64x2.mul(r, f64x2.splat(C3))));
}

/** r^4 (C4 + C5 r). */
// @ts-expect-error: decorator
@inline
function outer(r: v128): v128 {
  const r2 = f64x2.mul(r, r);
  return f64x2.mul(f64x2.mul(r2, r2), f64x2.add(f64x2.splat(C4), f64x2.mul(r, f64x2.splat(C5))));
}

/** Where k may be another one in the fused form, or the form is another one. */
// @ts-expect-error: decorator
@inline
function outside(x: v128, r: v128): v128 {
  return v128.or(f64x2.ge(f64x2.abs(r), f64x2.splat(SAFE_R)), f64x2.le(x, f64x2.splat(LOWEST)));
}

/** v * 2^floor(k / 128), v about 1: what is above the seventh bit of k, moved to the exponent and added. */
// @ts-expect-error: decorator
@inline
function scaled(v: v128, z: v128): v128 {
  return i64x2.add(v, v128.and(i64x2.shl(z, 45), i64x2.splat(EXPONENT)));
}

/**
 * `y` with the lanes that the fast path left open: 0 where x is far below; else the fused form with plain * and +, whose
 * roundings are watched one by one.
 *
 * The fused form spares, on the way to t, the rounding of three products before they are added to something larger. As
 * shares of those products, with what the roundings further in make of them, that is less than 2^-51. So where a sum is
 * the same with 2^-50 more and 2^-50 less of its product, it is that of the fused form; where all three are, t is its t to
 * the bit. H * t is p and its low half, v and c are H + p, both without error, and the last sum is watched in the same way.
 * One input in some thousands is still open.
 */
function openLanes(x: v128, y: v128, open: v128): v128 {
  const far = f64x2.le(x, f64x2.splat(FAR));
  const fast = v128.andnot(y, far);
  const asked = v128.andnot(open, far);
  if (!v128.any_true(asked)) return fast;
  const z = shifted(x);
  const kd = f64x2.sub(z, f64x2.splat(SHIFT));
  const near = f64x2.add(x, f64x2.mul(kd, f64x2.splat(NEG_LN2_HI_N)));
  const rest = f64x2.mul(kd, f64x2.splat(NEG_LN2_LO_N));
  const r = f64x2.add(near, rest);
  const pair0 = v128.load((<usize>i64x2.extract_lane(z, 0) & 127) << 4);
  const pair1 = v128.load((<usize>i64x2.extract_lane(z, 1) & 127) << 4);
  const head = v128.shuffle<i64>(pair0, pair1, 1, 3);
  const first = f64x2.add(v128.shuffle<i64>(pair0, pair1, 0, 2), r);
  const second = inner(r);
  const low = f64x2.add(first, second);
  const third = outer(r);
  const t = f64x2.add(low, third);
  const p = f64x2.mul(head, t);
  const v = f64x2.add(head, p);
  const c = f64x2.add(f64x2.sub(p, f64x2.sub(v, head)), lowHalf(head, t, p));
  const sums = v128.or(v128.or(wavers(near, rest), wavers(first, second)), v128.or(wavers(low, third), wavers(v, c)));
  const left = v128.and(asked, v128.or(sums, outside(x, r)));
  const fused = v128.bitselect(scaled(f64x2.add(v, c), z), fast, asked);
  return v128.any_true(left) ? slowLanes(x, fused, left) : fused;
}

/** Whether a + b hangs on the last bits of b. */
// @ts-expect-error: decorator
@inline
function wavers(a: v128, b: v128): v128 {
  const more = f64x2.add(a, f64x2.mul(b, f64x2.splat(ABOVE)));
  return f64x2.ne(more, f64x2.add(a, f64x2.mul(b, f64x2.splat(BELOW))));
}

/** a * b - product, exactly, where product is a * b rounded. */
// @ts-expect-error: decorator
@inline
function lowHalf(a: v128, b: v128, product: v128): v128 {
  const split = f64x2.splat(SPLIT);
  const as_ = f64x2.mul(split, a);
  const ah = f64x2.sub(as_, f64x2.sub(as_, a));
  const al = f64x2.sub(a, ah);
  const bs = f64x2.mul(split, b);
  const bh = f64x2.sub(bs, f64x2.sub(bs, b));
  const bl = f64x2.sub(b, bh);
  const rest = f64x2.add(f64x2.sub(f64x2.mul(ah, bh), product), f64x2.mul(ah, bl));
  return f64x2.add(f64x2.add(rest, f64x2.mul(al, bh)), f64x2.mul(al, bl));
}

function slowLanes(x: v128, fast: v128, left: v128): v128 {
  let y = fast;
  if (i64x2.extract_lane(left, 0) != 0) y = f64x2.replace_lane(y, 0, exp(f64x2.extract_lane(x, 0)));
  if (i64x2.extract_lane(left, 1) != 0) y = f64x2.replace_lane(y, 1, exp(f64x2.extract_lane(x, 1)));
  return y;
}

/** exp(x) for x at most 0, in the fused form. */
function exp(x: f64): f64 {
  if (x <= FAR) return 0;
  let kd = x * INV_LN2_N + SHIFT - SHIFT;
  const near = x + kd * NEG_LN2_HI_N + kd * NEG_LN2_LO_N;
  if (!(abs(near) < SAFE_R)) kd = fma(INV_LN2_N, x, SHIFT) - SHIFT;
  const k = <i64>kd;
  const entry = (<usize>k & 127) << 4;
  const tail = load<f64>(entry);
  const head = load<f64>(entry + 8);
  const r = fma(kd, NEG_LN2_LO_N, x + kd * NEG_LN2_HI_N);
  const r2 = r * r;
  const t = fma(r2 * r2, fma(r, C5, C4), fma(r2, fma(r, C3, C2), tail + r));
  const e = k >> 7;
  if (x > LOWEST) return fma(head, t, head) * reinterpret<f64>((1023 + e) << 52);
  const scale = head * reinterpret<f64>((1023 + 1022 + e) << 52);
  const p = scale * t;
  let y = scale + p;
  if (y < 1) {
    const rest = scale - y + p;
    const one = 1.0 + y;
    y = one + (1.0 - one + y + rest) - 1.0;
  }
  return 2.2250738585072014e-308 * y;
}

/** a * b + c with one rounding, as src/numerics/fma.ts in the middle of the range. */
// @ts-expect-error: decorator
@inline
function fma(a: f64, b: f64, c: f64): f64 {
  const product = a * b;
  const as_ = SPLIT * a;
  const ah = as_ - (as_ - a);
  const al = a - ah;
  const bs = SPLIT * b;
  const bh = bs - (bs - b);
  const bl = b - bh;
  const productLow = ah * bh - product + ah * bl + al * bh + al * bl;
  const sum = c + product;
  const s1 = sum - c;
  const rest = c - (sum - s1) + (product - s1) + productLow;
  const result = sum + rest * ABOVE;
  return result == sum + rest * BELOW ? result : fmaToOdd(product, productLow, c);
}

/** The nearest number to product + productLow + c, where the inner sum is rounded to odd. */
function fmaToOdd(product: f64, productLow: f64, c: f64): f64 {
  const th = c + productLow;
  const t1 = th - c;
  const tl = c - (th - t1) + (productLow - t1);
  const vh = product + th;
  const v1 = vh - product;
  const vl = product - (vh - v1) + (th - v1);
  const low = tl + vl;
  const s1 = low - tl;
  const error = tl - (low - s1) + (vl - s1);
  const bits = reinterpret<i64>(low);
  if (error == 0 || (bits & 1) == 1) return vh + low;
  return vh + reinterpret<f64>(bits + (error > 0 == low > 0 ? 1 : -1));
}

/** The first index where the running sum of exps[i] / total exceeds u; -1 where none does. */
export function walk(exps: usize, length: i32, total: f64, u: f64): i32 {
  const z = f64x2.splat(total);
  let c: f64 = 0;
  let i: i32 = 0;
  for (; i + 1 < length; i += 2) {
    const q = f64x2.div(v128.load(exps + (<usize>i << 3)), z);
    c += f64x2.extract_lane(q, 0);
    if (u < c) return i;
    c += f64x2.extract_lane(q, 1);
    if (u < c) return i + 1;
  }
  if (i < length) {
    c += load<f64>(exps + (<usize>i << 3)) / total;
    if (u < c) return i;
  }
  return -1;
}
