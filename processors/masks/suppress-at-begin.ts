import { type Candidates, NothingLeftError, type StepContext } from '../contract.js';
import { Processor, processor } from '../processor.js';
import * as z from '../zod.js';
import { banIds } from './parts/ban-ids.js';
import { checkWithin, idList, LEAVES_ONE } from './parts/ids.js';

export const suppressAtBeginOptions = z.strictObject({ ids: idList() });

/**
 * Suppress at begin: the listed ids cannot be the first generated one, such as an end id or a blank.
 *
 * While the output is empty, K = K \ ids; afterwards nothing. The prompt does not count. No ids is off. Refused when
 * nothing would remain, and, at any token, for an id that is not below V.
 * Source: Hugging Face, SuppressTokensAtBeginLogitsProcessor, begin_suppress_tokens; made for Whisper.
 * Differs from Hugging Face, where begin_index can be told and moves on by one after a forced begin token.
 * Example: { "use": "suppress-at-begin", "ids": [220, 50256] }
 */
@processor({ name: 'suppress-at-begin', options: suppressAtBeginOptions, stage: 'scores', leavesOne: true })
export class SuppressAtBegin extends Processor<typeof suppressAtBeginOptions> {
  readonly #ids = [...new Set(this.options.ids)];

  override get active(): boolean {
    return this.options.ids.length > 0;
  }

  process(candidates: Candidates, { history }: StepContext): void {
    const { ids } = this.options;
    checkWithin(ids, candidates.vocabSize, 'SuppressAtBegin', 'ids');
    if (history.output.length > 0) return;
    banIds(candidates, this.#ids, () => new NothingLeftError('SuppressAtBegin', 'ids', LEAVES_ONE, ids));
  }
}
