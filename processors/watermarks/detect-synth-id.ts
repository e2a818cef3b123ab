import { readIds } from '../../src/inputs.js';
import { checkOptions } from '../check-options.js';
import type { Ids } from '../plain-ids.js';
import * as z from '../zod.js';
import { gValue, hashOf, hashOn, synthScheme } from './parts/synth-scheme.js';

const OWNER = 'detectSynthId';

const detectorOptions = z.strictObject(synthScheme);

/** What was found in a text. */
export interface SynthIdScore {
  /** T: the ids that were scored. */
  readonly scored: number;
  /** The mean of g over ids and keys; 1/2 without the mark, and for T = 0. */
  readonly mean: number;
  /** The same with the keys weighted from 10 for the first evenly down to 1 for the last: the first ones tell most. */
  readonly weighted_mean: number;
  /**
   * By how many standard deviations `mean` is above 1/2: (2 mean - 1) sqrt(T D), D the number of keys. About a standard normal
   * without the mark; above 4 it is hardly chance. 0 for T = 0.
   */
  readonly z: number;
}

/**
 * How much of the watermark of `SynthId` is in `ids`.
 *
 * The first ngram_len - 1 ids are context alone, and an id behind a context that one of the last context_history_size ids had
 * is not scored, as it was not marked.
 * @param ids a text, as the tokenizer of its writer had it, without the prompt and the end id
 * @param options `keys`, `ngram_len` and `context_history_size` as the writer had them
 * @throws InvalidValueError for wrong ids or options
 */
export function detectSynthId(ids: Ids, options: z.input<typeof detectorOptions>): SynthIdScore {
  const { keys, ngram_len, context_history_size } = checkOptions(OWNER, detectorOptions, options);
  const own = readIds(OWNER, 'ids', ids);
  const lastAt = new Map<string, number>();
  const ones = keys.map(() => 0);
  let scored = 0;
  for (let t = ngram_len - 1; t < own.length; t++) {
    const context = own.slice(t - ngram_len + 1, t);
    const before = lastAt.get(context.join());
    lastAt.set(context.join(), t);
    if (before !== undefined && t - before <= context_history_size) continue;
    scored++;
    const hash = hashOn(hashOf(context), own[t] as number);
    for (const [d, key] of keys.entries()) ones[d] = (ones[d] as number) + gValue(hash, key);
  }
  return scoreOf(ones, scored);
}

/** @param ones how many of the `scored` ids have g = 1, for each key */
function scoreOf(ones: readonly number[], scored: number): SynthIdScore {
  if (scored === 0) return { scored, mean: 0.5, weighted_mean: 0.5, z: 0 };
  const depth = ones.length;
  let sum = 0;
  let weighted = 0;
  let weights = 0;
  for (const [d, count] of ones.entries()) {
    const weight = depth === 1 ? 1 : 10 - (9 * d) / (depth - 1);
    sum += count;
    weighted += weight * count;
    weights += weight;
  }
  const mean = sum / (scored * depth);
  return { scored, mean, weighted_mean: weighted / (scored * weights), z: (2 * mean - 1) * Math.sqrt(scored * depth) };
}
