/**
 * The kernels of a row, of this build or of an older one that it is measured beside: an older one takes over what came in by
 * itself, and sums up by computing every exp.
 */

/** A kernel with the logits in its copy, and once more where `scan` looks for them. */
export function loadedKernel(numerics, logits) {
  const kernel = numerics.rowKernel(logits.length);
  kernel.arrays.incoming.set(logits);
  kernel.scan();
  if (kernel.accept !== undefined) kernel.accept();
  else {
    kernel.arrays.copy.set(logits);
    kernel.arrays.blockMax.set(kernel.arrays.incomingMax);
  }
  kernel.arrays.incoming.set(logits);
  return kernel;
}

/** Z as the sampler takes it: the same bits as those of `expSum`. */
export function sumOf(kernel, max) {
  return kernel.sum === undefined ? kernel.expSum(1, max) : kernel.sum(1, max);
}
