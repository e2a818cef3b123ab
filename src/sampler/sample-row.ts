/**
 * One row of a batch: its token with what was asked about it, or the error in its place.
 */
import { checkOptions, flag, integerFrom } from '../../processors/schema.js';
import * as z from '../../processors/zod.js';
import type { RankedLogprob } from '../candidates/scores.js';
import type { Logits } from '../logits.js';
import { show } from '../show.js';
import { checkSampler, type SampledToken, type Sampler } from './sampler.js';

/** What to say of each token beside its logprob. */
export const batchReadingSchema = z.strictObject({
  /** Whether to give the entropy. */
  entropy: z._default(flag(), false),
  /** How many of the most likely ids to give; 0 for none. */
  topLogprobs: z._default(integerFrom(0), 0),
});

/** What a caller gives: every field may be left out. */
export type BatchReadingInput = Readonly<z.input<typeof batchReadingSchema>>;
export type BatchReading = Readonly<z.output<typeof batchReadingSchema>>;

/** A token of a batch. */
export interface BatchToken extends SampledToken {
  /** Where asked for: of the distribution that the token was drawn from, in nats; 0 when greedy. */
  readonly entropy?: number;
  /** Where asked for: the most likely ids by the scores, most likely first, as `Sampler.topLogprobs` gives them. */
  readonly topLogprobs?: readonly RankedLogprob[];
}

/** `reading` checked; refuses, naming `owner`, what is none. */
export function checkReading(owner: string, reading: BatchReadingInput): BatchReading {
  return checkOptions(owner, batchReadingSchema, reading);
}

/**
 * Samples a token, reads what is asked about it, and releases the sampler's arrays. Never throws: what was thrown is the
 * result, wrapped in an `Error` (its `cause`) where it is none. `index` is the row's, for a sampler that is none.
 */
export function sampleRow(sampler: Sampler, logits: Logits, reading: BatchReading, index: number): BatchToken | Error {
  try {
    checkSampler('sampleBatch', `samplers[${index}]`, sampler);
    return read(sampler, sampler.sample(logits), reading);
  } catch (thrown) {
    return toError(thrown);
  }
}

function read(sampler: Sampler, token: SampledToken, { entropy, topLogprobs }: BatchReading): BatchToken {
  try {
    return {
      ...token,
      ...(entropy ? { entropy: sampler.entropy() } : {}),
      ...(topLogprobs > 0 ? { topLogprobs: sampler.topLogprobs(topLogprobs) } : {}),
    };
  } finally {
    sampler.release();
  }
}

/** What was thrown, as an error. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(`a thrown ${show(thrown)}`, { cause: thrown });
}
