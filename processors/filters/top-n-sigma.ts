import type { Candidates, StepContext } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { positive } from '../schema.js';
import * as z from '../zod.js';

export const topNSigmaOptions = z.strictObject({ n: positive() });

/**
 * Top-n-sigma: keeps the ids whose logit is at most n standard deviations below the largest one.
 *
 * Over K, sums by ascending id: mean = sum of l / |K|, sigma = sqrt(sum of (l - mean)^2 / |K|). An id stays when l >= max l - n *
 * sigma; one exactly on the threshold stays, so the largest always does. A temperature before it changes nothing but rounding,
 * since it divides l and sigma alike. n is finite and > 0; 1 is usual.
 * Source: Tang et al. 2024, arXiv 2411.07641. Elsewhere: llama.cpp top_n_sigma, --top-nsigma.
 * Differs from llama.cpp: 0 and below are refused and do not turn it off. Differs from text-generation-webui, which counts
 * masked ids as logits of 0 and divides by one less than their number.
 * Example: { "use": "top-n-sigma", "n": 1 }
 */
@processor({ name: 'top-n-sigma', options: topNSigmaOptions, stage: 'policy', leavesOne: true })
export class TopNSigma extends Processor<typeof topNSigmaOptions> {
  process(candidates: Candidates, { numerics }: StepContext): void {
    const l = candidates.logits();
    const sigma = numerics.sqrt(variance(l));
    candidates.keepAtLeast(candidates.maxLogit() - this.options.n * sigma);
  }
}

/** Of the whole population; Infinity where a square overflows, and then all stay. */
function variance(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] as number;
  const mean = sum / values.length;
  let squares = 0;
  for (let i = 0; i < values.length; i++) {
    const d = (values[i] as number) - mean;
    squares += d * d;
  }
  return squares / values.length;
}
