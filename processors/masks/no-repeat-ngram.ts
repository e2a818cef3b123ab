import { type Candidates, NothingLeftError, type StepContext } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { integerFrom } from '../schema.js';
import * as z from '../zod.js';
import { banIds } from './parts/ban-ids.js';
import { followers } from './parts/followers.js';
import { LEAVES_ONE } from './parts/ids.js';

export const noRepeatNgramOptions = z.strictObject({ n: integerFrom(0) });

/**
 * No repeated n-gram: no n ids in a row occur twice.
 *
 * Over prompt and output: where the last n - 1 ids occurred before, the ids that followed them leave K. n = 1 bans every
 * id that occurred; n = 0 is off; with fewer than n ids nothing is banned. Refused when nothing would remain.
 * Every token looks through the whole history, at the cost of one comparison for most of its ids. An index would be
 * faster from many thousand ids on, but it is a state, and could be left behind by a forced id, a restored request or a
 * rejected draft; a history cannot.
 * Source: Paulus et al. 2017, arXiv 1705.04304 (trigrams). Elsewhere: NoRepeatNGramLogitsProcessor, no_repeat_ngram_size.
 * Example: { "use": "no-repeat-ngram", "n": 3 }
 */
@processor({ name: 'no-repeat-ngram', options: noRepeatNgramOptions, stage: 'scores', leavesOne: true })
export class NoRepeatNgram extends Processor<typeof noRepeatNgramOptions> {
  override get active(): boolean {
    return this.options.n > 0;
  }

  process(candidates: Candidates, { history }: StepContext): void {
    if (!this.active) return;
    const { n } = this.options;
    const banned = n === 1 ? history.seen : followers(history.sequence, history.sequence, n - 1);
    banIds(candidates, banned, () => new NothingLeftError('NoRepeatNgram', 'n', LEAVES_ONE, n));
  }
}
