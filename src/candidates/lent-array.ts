/**
 * Arrays that are lent again and again, of any length: one allocation serves until a longer one is asked for.
 */

/** Lends one i32 array. */
export function lentIds(): (length: number) => Int32Array {
  let room = new Int32Array(0);
  return (length) => {
    if (room.length < length) room = new Int32Array(Math.max(length, 2 * room.length));
    return room.subarray(0, length);
  };
}

/** Lends one f64 array. */
export function lentFloats(): (length: number) => Float64Array {
  let room = new Float64Array(0);
  return (length) => {
    if (room.length < length) room = new Float64Array(Math.max(length, 2 * room.length));
    return room.subarray(0, length);
  };
}

/** Writes 0, 1, 2, … : the ids where every id has its own position. */
export function countUp(to: Int32Array): void {
  for (let id = 0; id < to.length; id++) to[id] = id;
}
