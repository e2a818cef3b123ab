/**
 * The k-th largest of a list without sorting it.
 */

/** The `rank`-th largest of values[0..length-1], rank in [1, length]; reorders them. Expected time O(length). */
export function kthLargest(values: Float32Array, length: number, rank: number): number {
  let low = 0;
  let high = length - 1;
  const target = rank - 1;
  while (low < high) {
    const pivot = values[(low + high) >>> 1] as number;
    let i = low;
    let j = high;
    while (i <= j) {
      while ((values[i] as number) > pivot) i++;
      while ((values[j] as number) < pivot) j--;
      if (i > j) break;
      const value = values[i] as number;
      values[i++] = values[j] as number;
      values[j--] = value;
    }
    if (target <= j) high = j;
    else if (target >= i) low = i;
    else break;
  }
  return values[target] as number;
}
