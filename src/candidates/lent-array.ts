/**
 * Arrays that are lent again and again, of any length: one allocation serves until a longer one is asked for.
 */

/** Lends one i32 array. */
export function lentIds(): (length: number) => Int32Array {
  return lent((length) => new Int32Array(length));
}

/** Lends one f64 array. */
export function lentFloats(): (length: number) => Float64Array {
  return lent((length) => new Float64Array(length));
}

function lent<A extends Int32Array | Float64Array>(make: (length: number) => A): (length: number) => A {
  let room = make(0);
  return (length) => {
    if (room.length < length) room = make(Math.max(length, 2 * room.length));
    return room.subarray(0, length) as A;
  };
}
