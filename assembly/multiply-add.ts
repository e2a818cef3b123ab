/**
 * a * b + c with two roundings. The module with relaxed SIMD has relaxed-multiply-add.ts in the place of this file: one
 * rounding where the processor can. Only what is proved for both may call it, never the exact exp.
 */
// @ts-expect-error: decorator
@inline
export function multiplyAdd2(a: v128, b: v128, c: v128): v128 {
  return f64x2.add(f64x2.mul(a, b), c);
}

// @ts-expect-error: decorator
@inline
export function multiplyAdd4(a: v128, b: v128, c: v128): v128 {
  return f32x4.add(f32x4.mul(a, b), c);
}
