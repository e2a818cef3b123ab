/**
 * The most likely ids beside the one that was drawn.
 */

import type { Tokenizer } from '../../../processors/tokenizer.js';
import type { RankedLogprob } from '../../candidates/scores.js';
import type { Sampler } from '../../sampler/sampler.js';
import type { TopLogprob } from './events.js';

/**
 * The `count` most likely ids by the scores of the last token, and behind them `chosen` where it is not of them; each with
 * its token's bytes. Undefined for a count of 0.
 */
export function topLogprobs(
  sampler: Sampler,
  tokenizer: Tokenizer,
  count: number,
  chosen: RankedLogprob,
): TopLogprob[] | undefined {
  return count === 0 ? undefined : withBytes(sampler.topLogprobs(count), chosen, tokenizer);
}

/** `best`, most likely first, and behind them `chosen` where it is not of them; each with its token's bytes. */
export function withBytes(best: readonly RankedLogprob[], chosen: RankedLogprob, tokenizer: Tokenizer): TopLogprob[] {
  const all = best.some(({ id }) => id === chosen.id) ? best : [...best, chosen];
  return all.map(({ id, logprob }) => ({ id, logprob, bytes: [...tokenizer.tokenBytes(id)] }));
}
