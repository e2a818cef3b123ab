/** The exact exps of a row, or of some of its blocks, and their sum in ascending id order. */
import { exp2 } from './exact-exp';
import {
  beforeOfRow,
  copyOfRow,
  editIdsOfRow,
  editValuesOfRow,
  expsOfRow,
  headsOfRow,
  nextOfRow,
} from './layout';

/** exp of it is 0. */
const FAR: f64 = -1024;

/**
 * Writes exp(l / divisor - max) of every id of the blocks from..to-1 to exps, and the sum before each block to `before`;
 * `start` with all of them. A sum in order waits for each of its additions, so a block is added up while the next one is
 * computed.
 */
export function sumExactly(divisor: f64, max: f64, from: i32, to: i32, start: f64): f64 {
  const before = beforeOfRow();
  const heads = headsOfRow();
  let sum = start;
  for (let block = from; block < to; block++) {
    let withLast: f64;
    if (hasMasked(block)) {
      if (divisor == 1) withLast = expBlock(block, 1, max, sum, false, true);
      else withLast = expBlock(block, divisor, max, sum, true, true);
    } else if (divisor == 1) withLast = expBlock(block, 1, max, sum, false, false);
    else withLast = expBlock(block, divisor, max, sum, true, false);
    if (block > from) sum = withLast; // in front of the first one are exps of another time
    store<f64>(before + (<usize>block << 3), sum);
    const edit = load<i32>(heads + (<usize>block << 2));
    if (edit != 0) expEdits(edit, divisor, max);
  }
  const last = expsOfRow() + (<usize>to << 9);
  for (let at = last - 512; at < last; at += 8) sum += load<f64>(at);
  return sum;
}

/** Whether an entry of the block is -Infinity. */
// @ts-expect-error: decorator
@inline
function hasMasked(block: i32): bool {
  const at = copyOfRow() + (<usize>block << 8);
  let least = v128.load(at);
  for (let i: usize = 16; i < 256; i += 16) least = f32x4.pmin(least, v128.load(at + i));
  return v128.any_true(f32x4.eq(least, f32x4.splat(-Infinity)));
}

/**
 * Writes the exps of a block; `sum` with those of the block before, pair by pair. `divided` says whether the divisor is not
 * 1, `masked` whether there is a -Infinity among the entries, each of which the fast path would leave open.
 */
// @ts-expect-error: decorator
@inline
function expBlock(block: i32, divisor: f64, max: f64, sum: f64, divided: bool, masked: bool): f64 {
  const m = f64x2.splat(max);
  const d = f64x2.splat(divisor);
  const copy = copyOfRow() + (<usize>block << 8);
  const exps = expsOfRow() + (<usize>block << 9);
  for (let i: usize = 0; i < 64; i += 2) {
    const at = exps + (i << 3);
    sum += load<f64>(at - 512);
    sum += load<f64>(at - 512 + 8);
    const l = f64x2.promote_low_f32x4(v128.load64_zero(copy + (i << 2)));
    const x = f64x2.sub(divided ? f64x2.div(l, d) : l, m);
    if (masked) {
      const far = f64x2.le(x, f64x2.splat(FAR));
      v128.store(at, v128.andnot(exp2(v128.andnot(x, far)), far)); // in place of exp(x), which is 0, exp(0)
    } else v128.store(at, exp2(x));
  }
  return sum;
}

/** Writes the exps of the edits of a block, the first of which is `first`. */
function expEdits(first: i32, divisor: f64, max: f64): void {
  const exps = expsOfRow();
  for (let edit = first; edit != 0; ) {
    const index = <usize>(edit - 1);
    const id = load<i32>(editIdsOfRow() + (index << 2));
    const x = f64x2.splat(load<f64>(editValuesOfRow() + (index << 3)) / divisor - max);
    store<f64>(exps + (<usize>id << 3), f64x2.extract_lane(exp2(x), 0));
    edit = load<i32>(nextOfRow() + (index << 2));
  }
}
