import { type Candidates, InvalidValueError, NothingLeftError, type StepContext } from '../contract.js';
import { LEAVES_ONE } from '../masks/parts/ids.js';
import { Processor, processor } from '../processor.js';
import { integerFrom } from '../schema.js';
import * as z from '../zod.js';
import { keepWhere } from './parts/keep-where.js';

const OWNER = 'WhisperTimestamps';

export const whisperTimestampsOptions = z.strictObject({
  no_timestamps_id: integerFrom(0),
  end_id: integerFrom(0),
  max_initial: z.optional(integerFrom(0)),
});

/**
 * Whisper timestamps: keeps the output in the form of segments, each with a time before and behind it.
 *
 * The ids above no_timestamps_id are times, in ascending order; those below are text, the end id and other marks. The prompt
 * does not count. In this order:
 * 1. no_timestamps_id goes.
 * 2. At the first token text goes, and times above the (max_initial + 1)-th.
 * 3. Behind a time that closes a segment, one of two in a row or the very first token, times go; behind one that opens it, ids
 *    below the end id.
 * 4. Times below the last one go, and that one too, unless it opened the segment that is to be closed.
 * 5. With q the softmax over what is left: where the sum of q over times, by ascending id, is above the largest q of the others,
 *    those go.
 * Refused when nothing would remain, and, at any token, for a no_timestamps_id that is not below V - 1.
 * Source: OpenAI's Whisper, Radford et al. 2022, arXiv 2212.04356, ApplyTimestampRules. Elsewhere:
 * WhisperTimeStampLogitsProcessor, no_timestamps_token_id, max_initial_timestamp_index.
 * Differs from Hugging Face: rule 5 is in float64, and compares probabilities, not their logarithms; what leaves nothing is
 * refused, and not NaN.
 * Example: { "use": "whisper-timestamps", "no_timestamps_id": 50363, "end_id": 50257, "max_initial": 50 }
 */
@processor({ name: 'whisper-timestamps', options: whisperTimestampsOptions, stage: 'scores' })
export class WhisperTimestamps extends Processor<typeof whisperTimestampsOptions> {
  constructor(options: z.input<typeof whisperTimestampsOptions>) {
    super(options);
    const { end_id, no_timestamps_id } = this.options;
    if (end_id < no_timestamps_id) return;
    throw new InvalidValueError(OWNER, 'end_id', `below no_timestamps_id, ${no_timestamps_id}`, end_id);
  }

  process(candidates: Candidates, { history }: StepContext): void {
    const { no_timestamps_id } = this.options;
    const { vocabSize } = candidates;
    if (no_timestamps_id >= vocabSize - 1) {
      const domain = `an integer in [0, ${vocabSize - 1})`;
      throw new InvalidValueError(OWNER, 'no_timestamps_id', domain, no_timestamps_id);
    }
    const refusal = () => new NothingLeftError(OWNER, 'no_timestamps_id', LEAVES_ONE, no_timestamps_id);
    keepWhere(candidates, this.#allowed(history.output), refusal);
    if (timesWin(candidates, no_timestamps_id)) candidates.keepIds((id) => id > no_timestamps_id);
  }

  /** Rules 1 to 4. */
  #allowed(output: readonly number[]): (id: number) => boolean {
    const { no_timestamps_id, end_id, max_initial = Number.POSITIVE_INFINITY } = this.options;
    const isTime = (id: number | undefined) => id !== undefined && id > no_timestamps_id;
    const count = output.length;
    const first = no_timestamps_id + 1;
    if (count === 0) return (id) => isTime(id) && id - first <= max_initial;
    const last = lastOf(output, isTime);
    if (last === undefined) return (id) => id !== no_timestamps_id;
    const isBehind = isTime(output[count - 1]);
    const isClosed = isBehind && (count < 2 || isTime(output[count - 2]));
    if (isClosed) return (id) => id < no_timestamps_id;
    if (isBehind) return (id) => (isTime(id) ? id >= last : id >= end_id && id !== no_timestamps_id);
    return (id) => (isTime(id) ? id > last : id !== no_timestamps_id);
  }
}

/** Rule 5: whether the times, the ids above `border`, are together likelier than each other id. */
function timesWin(candidates: Candidates, border: number): boolean {
  const ids = candidates.ids();
  const q = candidates.probabilities();
  let sum = 0;
  let best = 0;
  for (let i = 0; i < ids.length; i++) {
    const share = q[i] as number;
    if ((ids[i] as number) > border) sum += share;
    else if (share > best) best = share;
  }
  return sum > best;
}

function lastOf(ids: readonly number[], fits: (id: number | undefined) => boolean): number | undefined {
  for (let i = ids.length - 1; i >= 0; i--) if (fits(ids[i])) return ids[i];
  return undefined;
}
