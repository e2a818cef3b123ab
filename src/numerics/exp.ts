/**
 * exp(x), bit for bit what glibc 2.28 and later gives on x86-64 and aarch64 with FMA (Python's math.exp, Rust's
 * f64::exp, C's exp), over all float64, from + - * and bit patterns alone: the same bits in every JavaScript engine.
 *
 * Method: x = k ln2/128 + r with an integer k, |r| <= ln2/256; exp(x) = 2^(k/128) exp(r); 2^(k/128) from a table as
 * H (1 + T), and t = T + exp(r) - 1 from a polynomial of degree 5; the result is H + H t, times a power of two.
 * Error: below 0.511 units in the last place before the final rounding.
 * Special cases: exp(NaN) = NaN, exp(-0) = exp(0) = 1, exp(-Infinity) = 0, exp(Infinity) = Infinity; subnormal results
 * are rounded once.
 * Source of the method and the figures: Arm Optimized Routines (MIT), Szabolcs Nagy 2018; docs/EXACT-MATH.md, "exp".
 */
import { powerOfTwo } from './bits.js';
import { EXP_HEADS, EXP_TAILS } from './exp-table.js';
import { fma } from './fma.js';

const INV_LN2_N = 184.6649652337873; // 0x1.71547652b82fep+7, 128 / ln 2
const NEG_LN2_HI_N = -0.005415212348111709; // -0x1.62e42fefa0000p-8: 36 bits, so a product with k is exact
const NEG_LN2_LO_N = -1.2864023111638346e-14; // -0x1.cf79abc9e3b3ap-47
const SHIFT = 6755399441055744; // 0x1.8p52: adding and taking it away rounds to an integer
const C2 = 0.49999999999996786; // 0x1.ffffffffffdbdp-2
const C3 = 0.16666666666665886; // 0x1.555555555543cp-3
const C4 = 0.0416666808410674; // 0x1.55555cf172b91p-5
const C5 = 0.008333335853059549; // 0x1.1111167a4d017p-7

/** 2^e for e = -1022..1023, at index e + 1022. */
const POWERS = Float64Array.from({ length: 2046 }, (_, i) => powerOfTwo(i - 1022));

/** Below it in size, x adds nothing but itself to 1. */
const LEAST_X = powerOfTwo(-54);
/** A little above 2^-59 + 2^-69. */
const DELTA = 1.75e-18;
/** A little less than ln2/256: inside, rounding x * INV_LN2_N before the shift cannot change k. */
const SAFE_R = 0.002707606;

/**
 * exp(x).
 *
 * The fast path evaluates the polynomial with plain * and + and proves, value by value, that this did not matter.
 * The fused form spares three roundings that reach t: one of r, one before each of the two outer sums. t is below
 * 2^-8.5 and a multiple of at most 2^-61, so each moves it by at most 2^-61, all three by 1.5 * 2^-60; the roundings
 * further in move it by less than 2^-69. With H in [1, 2), p = H * t is rounded by at most 2^-61, so H + p lies within
 * H * (1.5 * 2^-60 + 2^-69) + 2^-61 <= H * (2^-59 + 2^-69) of the exact H + H * t of the fused form, whose rounding is the
 * result. v + c is H + p without error (a fast two-sum). When v + (c + H * DELTA) and v + (c - H * DELTA) round to one
 * number, that whole neighbourhood does (DELTA leaves room for the roundings of these terms, below 2^-105), and it is v.
 * About 2 % of the inputs are left to the slow path.
 */
export function exp(x: number): number {
  if (!(x > -512 && x < 512)) return expOutside(x);
  const kd = x * INV_LN2_N + SHIFT - SHIFT;
  const r = x + kd * NEG_LN2_HI_N + kd * NEG_LN2_LO_N;
  const k = kd | 0;
  const i = k & 127;
  const r2 = r * r;
  const t = (EXP_TAILS[i] as number) + r + r2 * (C2 + r * C3) + r2 * r2 * (C4 + r * C5);
  const head = EXP_HEADS[i] as number;
  const p = head * t;
  const v = head + p;
  const c = p - (v - head);
  if (!(r < SAFE_R && r > -SAFE_R)) return expFused(x, nearestStep(x));
  const delta = head * DELTA;
  if (v + (c + delta) === v + (c - delta)) return v * (POWERS[(k >> 7) + 1022] as number);
  return expFused(x, k);
}

/** The fused form for |x| < 512, k being the step nearest to x. */
function expFused(x: number, k: number): number {
  return expWithin(k, fusedTail(x, k));
}

/** The result from t and the step k, for an exponent that needs no care. */
function expWithin(k: number, t: number): number {
  const head = EXP_HEADS[k & 127] as number;
  return fma(head, t, head) * (POWERS[(k >> 7) + 1022] as number);
}

/** k: the integer nearest to x * 128 / ln 2, rounded once. */
function nearestStep(x: number): number {
  return fma(INV_LN2_N, x, SHIFT) - SHIFT;
}

/** t = exp(x - k ln2/128) * (1 + T) - 1 as the fused form rounds it. */
function fusedTail(x: number, k: number): number {
  return tailOf(reduced(x, k), k);
}

/** r = x - k ln2/128. */
function reduced(x: number, k: number): number {
  return fma(k, NEG_LN2_LO_N, x + k * NEG_LN2_HI_N); // the product with HI is exact: one rounding as it stands
}

function tailOf(r: number, k: number): number {
  const r2 = r * r;
  const low = fma(r2, fma(r, C3, C2), (EXP_TAILS[k & 127] as number) + r);
  return fma(r2 * r2, fma(r, C5, C4), low);
}

/** exp(x + rest) for a finite x and a rest that is small beside it, as `pow` needs it: below 2^-60 in size. */
export function expOfSum(x: number, rest: number): number {
  const size = Math.abs(x);
  if (size < LEAST_X) return 1 + x;
  if (size >= 1024) return x > 0 ? Infinity : 0;
  const k = nearestStep(x);
  const t = tailOf(reduced(x, k) + rest, k);
  if (size < 512) return expWithin(k, t);
  return x > 0 ? expLarge(k, t) : expSmall(k, t);
}

/** |x| >= 512, infinities and NaN. Beyond +-1024 the result is 0 or Infinity whatever the polynomial says. */
function expOutside(x: number): number {
  if (x >= 1024) return Infinity;
  if (x <= -1024) return 0;
  if (Number.isNaN(x)) return x;
  const k = nearestStep(x);
  const t = fusedTail(x, k);
  return x > 0 ? expLarge(k, t) : expSmall(k, t);
}

function expLarge(k: number, t: number): number {
  const scale = scaledHead(k, -1009);
  return powerOfTwo(1009) * fma(scale, t, scale);
}

/** x <= -512: not fused, and a subnormal result is rounded once, at the bit where it will end. */
function expSmall(k: number, t: number): number {
  const scale = scaledHead(k, 1022);
  const p = scale * t;
  let y = scale + p;
  if (y < 1) {
    const rest = scale - y + p;
    const one = 1 + y;
    y = one + (1 - one + y + rest) - 1;
  }
  return powerOfTwo(-1022) * y;
}

/** H[k mod 128] * 2^(floor(k / 128) + shift). */
function scaledHead(k: number, shift: number): number {
  return (EXP_HEADS[k & 127] as number) * powerOfTwo((k >> 7) + shift);
}
