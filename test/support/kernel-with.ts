import type { RowKernel } from '../../src/numerics/row.js';

/** The passes of a kernel, without its arrays. */
export type RowPasses = Omit<RowKernel, 'arrays' | 'said'>;

/** `kernel`, some of whose passes are replaced. */
export function kernelWith(kernel: RowKernel, changes: Partial<RowPasses>): RowKernel {
  const passes: RowPasses = {
    scan: () => kernel.scan(),
    accept: () => kernel.accept(),
    keepMask: (words) => kernel.keepMask(words),
    collect: (threshold) => kernel.collect(threshold),
    expSum: (divisor, max) => kernel.expSum(divisor, max),
    sum: (divisor, max) => kernel.sum(divisor, max),
    estimate: (fine, divisor, max) => kernel.estimate(fine, divisor, max),
    collectRest: (threshold, divisor, max) => kernel.collectRest(threshold, divisor, max),
    boundList: (count, max) => kernel.boundList(count, max),
    entropyFrom: (block, sum, divisor, max, scale) => kernel.entropyFrom(block, sum, divisor, max, scale),
    walk: (total, u) => kernel.walk(total, u),
  };
  return { arrays: kernel.arrays, said: kernel.said, ...passes, ...changes };
}
