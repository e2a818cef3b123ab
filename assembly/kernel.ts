/**
 * The passes over a vocabulary in WebAssembly, with the same bits as the plain ones (src/numerics/plain-kernel.ts).
 *
 * AssemblyScript; `npm run build:kernel` compiles it to src/numerics/wasm-bytes.ts. The memory is the host's (layout.ts).
 */
import { sumExactly } from './exact-sum';
import { blocksOfRow, expsOfRow } from './layout';

export { boundList, entropy, massesByDouble, massesBySingle, restBySingle, sum } from './certified';
export { collect, keepMask } from './lists';
export { scan } from './scan';

/** Writes exp(l / divisor - max) of every id to exps; their sum in ascending id order. */
export function expSum(divisor: f64, max: f64): f64 {
  return sumExactly(divisor, max, 0, blocksOfRow(), 0);
}

/** The first of `length` indices where the running sum of exps[i] / total exceeds u; -1 where none does. */
export function walk(length: i32, total: f64, u: f64): i32 {
  const exps = expsOfRow();
  const z = f64x2.splat(total);
  let c: f64 = 0;
  let i: i32 = 0;
  for (; i + 1 < length; i += 2) {
    const q = f64x2.div(v128.load(exps + (<usize>i << 3)), z);
    c += f64x2.extract_lane(q, 0);
    if (u < c) return i;
    c += f64x2.extract_lane(q, 1);
    if (u < c) return i + 1;
  }
  if (i < length) {
    c += load<f64>(exps + (<usize>i << 3)) / total;
    if (u < c) return i;
  }
  return -1;
}
