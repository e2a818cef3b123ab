import type { Candidates, StepContext } from '../contract.js';
import { listOf } from '../list-schema.js';
import { Processor, processor } from '../processor.js';
import { finite } from '../schema.js';
import * as z from '../zod.js';
import { addBegunBiases, type BiasedSequence } from './parts/begun-biases.js';
import { someIds } from './parts/ids.js';

const SEQUENCE = 'an object of `ids` and `bias`';
const fields = z.strictObject({ ids: someIds(), bias: finite() }, { error: SEQUENCE });
const frozen = z.transform((one: z.output<typeof fields>) => Object.freeze(one));
const sequence = z.pipe(fields, frozen);

export const sequenceBiasOptions = z.strictObject({
  sequences: listOf(sequence, `an array of sequences, each ${SEQUENCE}`),
});

/**
 * Sequence bias: makes listed sequences of ids more or less likely.
 *
 * A sequence of one id: l = l + b for it, always. Of several: for the last one, where prompt and output end with the others.
 * Where several sequences bias one id, their biases are summed first, in the order of the list. An id that is masked stays
 * masked. No sequences is off. Refused for an id that is not below V, and when a logit would overflow, to either side: a ban is
 * `bad-words`.
 * Source: Hugging Face, SequenceBiasLogitsProcessor, sequence_bias. For texts: `text-bias`; for single ids: `logit-bias`.
 * Differs from Hugging Face: a sequence one id longer than the context counts; any finite bias, not -Infinity.
 * Example: { "use": "sequence-bias", "sequences": [{ "ids": [7, 4], "bias": -2 }] }
 */
@processor({ name: 'sequence-bias', options: sequenceBiasOptions, stage: 'scores', leavesOne: true })
export class SequenceBias extends Processor<typeof sequenceBiasOptions> {
  readonly #biased: readonly BiasedSequence[] = this.options.sequences.map(({ ids, bias }, i) => {
    return { idsName: `sequences[${i}].ids`, name: `sequences[${i}].bias`, ids, bias };
  });

  override get active(): boolean {
    return this.#biased.length > 0;
  }

  process(candidates: Candidates, { history }: StepContext): void {
    addBegunBiases(candidates, history.sequence, this.#biased, 'SequenceBias');
  }
}
