/**
 * The exact exp, two at a time, with the same bits as src/numerics/exp.ts: names, method and proof as there.
 *
 * The constants of the loop lie in memory: an engine may otherwise make each of them anew at every use (Node 24 does).
 */
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
const ABOVE: f64 = 1.0000000000000009; // 1 + 2^-50
const BELOW: f64 = 0.9999999999999991; // 1 - 2^-50

const AT_INV_LN2_N: usize = 0;
const AT_SHIFT: usize = 8;
const AT_NEG_LN2_HI_N: usize = 16;
const AT_NEG_LN2_LO_N: usize = 24;
const AT_C2: usize = 32;
const AT_C3: usize = 40;
const AT_C4: usize = 48;
const AT_C5: usize = 56;
const AT_DELTA: usize = 64;
const AT_SAFE_R: usize = 72;
const AT_LOWEST: usize = 80;
const AT_FAR: usize = 88;
const AT_EXPONENT: usize = 96;
/** In the order of the places above; the last one has the bits of sign and exponent. */
const HOT = memory.data<f64>([
  INV_LN2_N, SHIFT, NEG_LN2_HI_N, NEG_LN2_LO_N, C2, C3, C4, C5, DELTA, SAFE_R, LOWEST, FAR, -Infinity,
]);

/** The constant at a place, in both lanes. */
// @ts-expect-error: decorator
@inline
function hot(place: usize): v128 {
  return v128.load_splat<u64>(HOT + place);
}

/** exp of two numbers at most 0, by the fast path where it is decided. */
// @ts-expect-error: decorator
@inline
export function exp2(x: v128): v128 {
  const z = shifted(x);
  const kd = f64x2.sub(z, hot(AT_SHIFT));
  const r = f64x2.add(
    f64x2.add(x, f64x2.mul(kd, hot(AT_NEG_LN2_HI_N))),
    f64x2.mul(kd, hot(AT_NEG_LN2_LO_N)),
  );
  const pair0 = v128.load((<usize>i32x4.extract_lane(z, 0) & 127) << 4);
  const pair1 = v128.load((<usize>i32x4.extract_lane(z, 2) & 127) << 4);
  const tail = v128.shuffle<i64>(pair0, pair1, 0, 2);
  const head = v128.shuffle<i64>(pair0, pair1, 1, 3);
  const t = f64x2.add(f64x2.add(f64x2.add(tail, r), inner(r)), outer(r));
  const p = f64x2.mul(head, t);
  const v = f64x2.add(head, p);
  const c = f64x2.sub(p, f64x2.sub(v, head));
  const delta = f64x2.mul(head, hot(AT_DELTA));
  const differs = f64x2.ne(f64x2.add(v, f64x2.add(c, delta)), f64x2.add(v, f64x2.sub(c, delta)));
  const open = v128.or(differs, outside(x, r));
  const y = scaled(v, z);
  return v128.any_true(open) ? openLanes(x, y, open) : y;
}

/** x * 128 / ln 2 as an integer k in the low bits. */
// @ts-expect-error: decorator
@inline
function shifted(x: v128): v128 {
  return f64x2.add(f64x2.mul(x, hot(AT_INV_LN2_N)), hot(AT_SHIFT));
}

/** r^2 (C2 + C3 r). */
// @ts-expect-error: decorator
@inline
function inner(r: v128): v128 {
  return f64x2.mul(f64x2.mul(r, r), f64x2.add(hot(AT_C2), f64x2.mul(r, hot(AT_C3))));
}

/** r^4 (C4 + C5 r). */
// @ts-expect-error: decorator
@inline
function outer(r: v128): v128 {
  const r2 = f64x2.mul(r, r);
  return f64x2.mul(f64x2.mul(r2, r2), f64x2.add(hot(AT_C4), f64x2.mul(r, hot(AT_C5))));
}

/** Where k may be another one in the fused form, or the form is another one. */
// @ts-expect-error: decorator
@inline
function outside(x: v128, r: v128): v128 {
  return v128.or(f64x2.ge(f64x2.abs(r), hot(AT_SAFE_R)), f64x2.le(x, hot(AT_LOWEST)));
}

/** v * 2^floor(k / 128), v about 1: what is above the seventh bit of k, moved to the exponent and added. */
// @ts-expect-error: decorator
@inline
function scaled(v: v128, z: v128): v128 {
  return i64x2.add(v, v128.and(i64x2.shl(z, 45), hot(AT_EXPONENT)));
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
  const far = f64x2.le(x, hot(AT_FAR));
  const fast = v128.andnot(y, far);
  const asked = v128.andnot(open, far);
  if (!v128.any_true(asked)) return fast;
  const z = shifted(x);
  const kd = f64x2.sub(z, hot(AT_SHIFT));
  const near = f64x2.add(x, f64x2.mul(kd, hot(AT_NEG_LN2_HI_N)));
  const rest = f64x2.mul(kd, hot(AT_NEG_LN2_LO_N));
  const r = f64x2.add(near, rest);
  const pair0 = v128.load((<usize>i32x4.extract_lane(z, 0) & 127) << 4);
  const pair1 = v128.load((<usize>i32x4.extract_lane(z, 2) & 127) << 4);
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
