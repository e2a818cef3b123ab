/** a * b + c with one rounding where the processor can, with two elsewhere: see multiply-add.ts. */
// @ts-expect-error: decorator
@inline
export function multiplyAdd2(a: v128, b: v128, c: v128): v128 {
  return v128.relaxed_madd<f64>(a, b, c);
}

// @ts-expect-error: decorator
@inline
export function multiplyAdd4(a: v128, b: v128, c: v128): v128 {
  return v128.relaxed_madd<f32>(a, b, c);
}
