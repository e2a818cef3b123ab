/** The position of `id` in ids[0..length-1], which is ascending; -1 where it is not. */
export function findId(ids: Int32Array, length: number, id: number): number {
  let low = 0;
  let high = length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] as number) < id) low = middle + 1;
    else high = middle;
  }
  return ids[low] === id ? low : -1;
}
