import { type Candidates, InvalidValueError, type StepContext } from '../contract.js';
import { listOf } from '../list-schema.js';
import { Processor, processor } from '../processor.js';
import { finite } from '../schema.js';
import * as z from '../zod.js';
import { checkWithin, someIds } from './parts/ids.js';
import { isBegun } from './parts/is-begun.js';

const OWNER = 'SequenceBias';

const entry = z.strictObject({ ids: someIds(), bias: finite() });

export const sequenceBiasOptions = z.strictObject({
  biases: listOf(entry, 'an array of { ids, bias }'),
});

/**
 * Sequence bias: makes sequences of ids more or less likely.
 *
 * A sequence of one id: l = l + b for it, always. Of several: for the last one, where prompt and output end with the others.
 * Where several bias one id, their biases are summed first, in the order given. An id that is masked stays masked. No biases is
 * off. Refused for an id that is not below V, and when a logit would overflow, to either side: a ban is `bad-words`.
 * Source: Hugging Face, SequenceBiasLogitsProcessor, sequence_bias. By texts: `text-bias`.
 * Differs from Hugging Face: a sequence one id longer than the context counts; any finite bias, not -Infinity.
 * Example: { "use": "sequence-bias", "biases": [{ "ids": [5, 9], "bias": -2 }] }
 */
@processor({ name: 'sequence-bias', options: sequenceBiasOptions, stage: 'scores', leavesOne: true })
export class SequenceBias extends Processor<typeof sequenceBiasOptions> {
  override get active(): boolean {
    return this.options.biases.length > 0;
  }

  process(candidates: Candidates, { history }: StepContext): void {
    const sums = new Map<number, { readonly name: string; readonly bias: number }>();
    this.options.biases.forEach(({ ids, bias }, i) => {
      checkWithin(ids, candidates.vocabSize, OWNER, `biases[${i}].ids`);
      if (!isBegun(ids, history.sequence)) return;
      const last = ids[ids.length - 1] as number;
      sums.set(last, { name: `biases[${i}].bias`, bias: (sums.get(last)?.bias ?? 0) + bias });
    });
    candidates.adjustLogits([...sums.keys()], (l, id) => {
      const { name, bias } = sums.get(id) as { name: string; bias: number };
      if (Number.isFinite(l + bias)) return l + bias;
      throw new InvalidValueError(OWNER, name, 'small enough that no logit overflows', bias);
    });
  }
}
