import type { Candidates } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { nonNegative, numberIn } from '../schema.js';
import * as z from '../zod.js';

export const quadraticSmoothingOptions = z.strictObject({
  factor: nonNegative(),
  curve: z._default(
    numberIn('a finite number >= 1', (x) => x >= 1),
    1,
  ),
});

/**
 * Quadratic smoothing: brings the likely ids together and pushes the others away.
 *
 * With M the largest l and d = l - M: l = -(k * d * d) + s * d * d * d + M, from the left, k = (3 - curve) / 2 * factor and s
 * = (curve - 1) / 2 * factor. So with a curve of 1, l = M - factor * d^2. The largest stays as it is. factor is finite and >= 0, 0
 * is off; curve is finite and >= 1, default 1. Up to a curve of 3 the order of the ids stays; above it, ids close to the
 * largest come to stand above it. A logit that sinks below all numbers removes its id.
 * Source: kalomaze 2024; text-generation-webui. Elsewhere: smoothing_factor, smoothing_curve, quadratic sampling.
 * Differs from exllamav2, which has no curve.
 * Example: { "use": "quadratic-smoothing", "factor": 0.3, "curve": 1.5 }
 */
@processor({ name: 'quadratic-smoothing', options: quadraticSmoothingOptions, stage: 'policy', leavesOne: true })
export class QuadraticSmoothing extends Processor<typeof quadraticSmoothingOptions> {
  override get active(): boolean {
    return this.options.factor > 0;
  }

  process(candidates: Candidates): void {
    if (!this.active) return;
    const { factor, curve } = this.options;
    const k = ((3 - curve) / 2) * factor;
    const s = ((curve - 1) / 2) * factor;
    const max = candidates.maxLogit();
    candidates.mapLogits((l) => {
      const d = l - max;
      return -(k * d * d) + s * d * d * d + max;
    });
  }
}
