/**
 * Kernels of engines that go wrong without an error, each around one that is right.
 */
import { exp } from '../../src/numerics/exp.js';
import { PlainKernel } from '../../src/numerics/plain-kernel.js';
import { BLOCK, type RowArrays, type RowKernel, type RowKernelFactory } from '../../src/numerics/row.js';
import { kernelWith, type RowPasses } from '../support/kernel-with.js';

/** One kernel, some of whose passes are replaced. */
export function broken(
  change: (kernel: RowKernel) => Partial<RowPasses>,
  make: RowKernelFactory = (length) => new PlainKernel(length, exp),
): RowKernelFactory {
  return (length) => {
    const kernel = make(length);
    return kernelWith(kernel, change(kernel));
  };
}

/** Turns the bytes of every number of the arrays, and of the table of the exp where they lie in one memory behind it. */
function turn(arrays: RowArrays): void {
  const { buffer } = arrays.copy;
  const table = arrays.ids.buffer === buffer ? [new Float64Array(buffer, 0, 256)] : [];
  for (const { buffer, byteOffset, byteLength, BYTES_PER_ELEMENT: width } of [...Object.values(arrays), ...table]) {
    const bytes = new Uint8Array(buffer, byteOffset, byteLength);
    for (let at = 0; at < bytes.length; at += width) bytes.subarray(at, at + width).reverse();
  }
}

/** As on a processor that is big-endian: the passes read each number's bytes the other way round than typed arrays. */
export function otherByteOrder(make: RowKernelFactory): RowKernelFactory {
  return broken((kernel) => {
    const turned = <T>(pass: () => T): T => {
      turn(kernel.arrays);
      try {
        return pass();
      } finally {
        turn(kernel.arrays);
      }
    };
    return {
      scan: () => turned(() => kernel.scan()),
      keepMask: (words) => turned(() => kernel.keepMask(words)),
      collect: (threshold) => turned(() => kernel.collect(threshold)),
      expSum: (divisor, max) => turned(() => kernel.expSum(divisor, max)),
      sum: (divisor, max) => turned(() => kernel.sum(divisor, max)),
      estimate: (fine, divisor, max) => turned(() => kernel.estimate(fine, divisor, max)),
      walk: (total, u) => turned(() => kernel.walk(total, u)),
    };
  }, make);
}

const LEAST_NORMAL = 2 ** -126;

function flushed(x: number): number {
  return Math.abs(x) < LEAST_NORMAL ? 0 * x : x;
}

/** A pass over an array of which it sees subnormals as zeros. */
function seeingZeros<T>(array: Float32Array, pass: () => T): T {
  const kept = array.slice();
  kept.forEach((x, i) => {
    array[i] = flushed(x);
  });
  try {
    return pass();
  } finally {
    array.set(kept);
  }
}

/** As the SIMD of 32-bit ARM. */
export const flushing = {
  scan: broken((kernel) => ({ scan: () => seeingZeros(kernel.arrays.incoming, () => kernel.scan()) })),
  collect: broken((kernel) => ({
    collect: (threshold) => seeingZeros(kernel.arrays.copy, () => kernel.collect(flushed(threshold))),
  })),
  expSum: broken((kernel) => ({
    expSum: (divisor, max) => seeingZeros(kernel.arrays.copy, () => kernel.expSum(divisor, max)),
  })),
};

/** Changes the maximum of a block as `scan` leaves it. */
export function otherMaxima(change: (max: number, block: number, entries: Float32Array) => number): RowKernelFactory {
  return broken((kernel) => ({
    scan() {
      const { incoming, incomingMax } = kernel.arrays;
      const found = kernel.scan();
      for (let block = 0; found && block < incomingMax.length; block++) {
        const entries = incoming.subarray(BLOCK * block, BLOCK * (block + 1));
        incomingMax[block] = change(incomingMax[block] as number, block, entries);
      }
      return found;
    },
  }));
}

/** Changes the exps after they were added up. */
export function otherExps(change: (exp: number, id: number) => number): RowKernelFactory {
  return broken((kernel) => ({
    expSum(divisor, max) {
      const sum = kernel.expSum(divisor, max);
      kernel.arrays.exps.forEach((exp, id, exps) => {
        exps[id] = change(exp, id);
      });
      return sum;
    },
  }));
}
