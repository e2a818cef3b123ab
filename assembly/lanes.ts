/** What the four lanes of a vector come to together. */

// @ts-expect-error: decorator
@inline
export function largestLane(x: v128): f32 {
  const a = f32x4.pmax(x, v128.shuffle<i32>(x, x, 2, 3, 0, 1));
  const b = f32x4.pmax(a, v128.shuffle<i32>(a, a, 1, 0, 3, 2));
  return f32x4.extract_lane(b, 0);
}

// @ts-expect-error: decorator
@inline
export function sumOfLanes(x: v128): i32 {
  return i32x4.extract_lane(x, 0) + i32x4.extract_lane(x, 1) + i32x4.extract_lane(x, 2) + i32x4.extract_lane(x, 3);
}
