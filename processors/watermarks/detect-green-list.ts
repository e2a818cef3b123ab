import { readIds } from '../../src/inputs.js';
import { checkOptions } from '../check-options.js';
import type { Ids } from '../plain-ids.js';
import { flag } from '../schema.js';
import * as z from '../zod.js';
import { GreenIds, greenScheme } from './parts/green-ids.js';

const OWNER = 'detectGreenList';

const detectorOptions = z.strictObject({ ...greenScheme, repeated: z._default(flag(), false) });

/** What was found in a text. */
export interface GreenListScore {
  /** T: the ids that were scored. */
  readonly scored: number;
  /** How many of them are green. */
  readonly green: number;
  /**
   * By how many standard deviations `green` is above what a text without the mark has: (green - ratio T) / sqrt(T ratio
   * (1 - ratio)). About a standard normal there; above 4 it is hardly chance. 0 for T = 0.
   */
  readonly z: number;
}

/**
 * How much of the watermark of `GreenList` is in `ids`.
 *
 * The first `width` ids are context alone. An id behind the same context is scored once, as the second time says nothing new,
 * unless `repeated` says otherwise.
 * @param ids a text, as the tokenizer of its writer had it; the prompt may be left out
 * @param options `key`, `ratio` and `width` as the writer had them; `repeated`, default false
 * @throws InvalidValueError for wrong ids or options
 */
export function detectGreenList(ids: Ids, options: z.input<typeof detectorOptions>): GreenListScore {
  const { key, ratio, width, repeated } = checkOptions(OWNER, detectorOptions, options);
  const own = readIds(OWNER, 'ids', ids);
  const seen = new Set<string>();
  let scored = 0;
  let green = 0;
  for (let t = width; t < own.length; t++) {
    const context = own.slice(t - width, t);
    const ngram = `${context.join()},${own[t]}`;
    if (!repeated && seen.has(ngram)) continue;
    seen.add(ngram);
    scored++;
    if (new GreenIds(key, ratio, context).has(own[t] as number)) green++;
  }
  const deviation = Math.sqrt(scored * ratio * (1 - ratio));
  return { scored, green, z: scored === 0 ? 0 : (green - ratio * scored) / deviation };
}
