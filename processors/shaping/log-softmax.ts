import type { Candidates } from '../contract.js';
import { Processor, processor } from '../processor.js';
import * as z from '../zod.js';

export const logSoftmaxOptions = z.strictObject({});

/**
 * Log-softmax: makes the logits logprobs of what the steps before left.
 *
 * l = (l - max l) - ln Z over K, Z the sum of exp(l - max l) by ascending id. The distribution stays but for rounding, and so do
 * order and ties, unless two l are so close that they round to one. It is for those who read the logits.
 * Source: docs/SPEC.md, "Where logprobs are taken". Elsewhere: LogitNormalization, renormalize_logits.
 * Example: { "use": "log-softmax" }
 */
@processor({ name: 'log-softmax', options: logSoftmaxOptions, stage: 'policy', leavesOne: true })
export class LogSoftmax extends Processor<typeof logSoftmaxOptions> {
  process(candidates: Candidates): void {
    const logprobs = candidates.logProbabilities();
    let index = 0;
    candidates.mapLogits(() => logprobs[index++] as number);
  }
}
