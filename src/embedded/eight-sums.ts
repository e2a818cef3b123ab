/**
 * The inner loop of the model: eight sums of products, side by side.
 *
 * out[o + r] = ((0 + x[j] b[0][r]) + x[j + 1] b[1][r]) + ...: ascending, one rounding a product and one a sum, in
 * float64. Each of the eight is summed as a plain loop would sum it; a single sum would wait for its last addition at
 * every step. The matrices that it reads are therefore kept in blocks of eight rows, a block column after column.
 */
export const LANES = 8;

/**
 * Eight sums over `count` elements of `x` from index `from` on, written to `out` from index `to` on. `blocks` holds the
 * eight factors of the first element from index `at` on, those of the next one behind them.
 */
export function eightSums32(
  blocks: Float32Array,
  at: number,
  x: Float64Array,
  from: number,
  count: number,
  out: Float64Array,
  to: number,
): void {
  let y0 = 0;
  let y1 = 0;
  let y2 = 0;
  let y3 = 0;
  let y4 = 0;
  let y5 = 0;
  let y6 = 0;
  let y7 = 0;
  let b = at;
  for (let j = from; j < from + count; j++) {
    const xj = x[j] as number;
    y0 += xj * (blocks[b] as number);
    y1 += xj * (blocks[b + 1] as number);
    y2 += xj * (blocks[b + 2] as number);
    y3 += xj * (blocks[b + 3] as number);
    y4 += xj * (blocks[b + 4] as number);
    y5 += xj * (blocks[b + 5] as number);
    y6 += xj * (blocks[b + 6] as number);
    y7 += xj * (blocks[b + 7] as number);
    b += LANES;
  }
  out[to] = y0;
  out[to + 1] = y1;
  out[to + 2] = y2;
  out[to + 3] = y3;
  out[to + 4] = y4;
  out[to + 5] = y5;
  out[to + 6] = y6;
  out[to + 7] = y7;
}

/**
 * The same of float64 blocks. Written out twice, since an engine compiles a loop for the array types that it meets there:
 * one function for both makes a token take a quarter longer (Node 20).
 */
export function eightSums64(
  blocks: Float64Array,
  at: number,
  x: Float64Array,
  from: number,
  count: number,
  out: Float64Array,
  to: number,
): void {
  let y0 = 0;
  let y1 = 0;
  let y2 = 0;
  let y3 = 0;
  let y4 = 0;
  let y5 = 0;
  let y6 = 0;
  let y7 = 0;
  let b = at;
  for (let j = from; j < from + count; j++) {
    const xj = x[j] as number;
    y0 += xj * (blocks[b] as number);
    y1 += xj * (blocks[b + 1] as number);
    y2 += xj * (blocks[b + 2] as number);
    y3 += xj * (blocks[b + 3] as number);
    y4 += xj * (blocks[b + 4] as number);
    y5 += xj * (blocks[b + 5] as number);
    y6 += xj * (blocks[b + 6] as number);
    y7 += xj * (blocks[b + 7] as number);
    b += LANES;
  }
  out[to] = y0;
  out[to + 1] = y1;
  out[to + 2] = y2;
  out[to + 3] = y3;
  out[to + 4] = y4;
  out[to + 5] = y5;
  out[to + 6] = y6;
  out[to + 7] = y7;
}

/** Where element (`row`, `column`) of a matrix of `columns` columns stands in its blocks. */
export function blockIndex(row: number, column: number, columns: number): number {
  const lane = row % LANES;
  return (row - lane) * columns + column * LANES + lane;
}
