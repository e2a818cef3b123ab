/**
 * The options of both forms of XTC.
 */
import type { Candidates } from '../../contract.js';
import { checkWithin, idList } from '../../masks/parts/ids.js';
import { integerFrom, numberIn, share } from '../../schema.js';
import * as z from '../../zod.js';

export const xtcOptions = z.strictObject({
  probability: share(),
  threshold: z._default(
    numberIn('a number in (0, 0.5]', (x) => x > 0 && x <= 0.5),
    0.1,
  ),
  min_keep: z.optional(integerFrom(1)),
  special_ids: z.optional(idList()),
});

export type XtcOptions = Readonly<z.output<typeof xtcOptions>>;

/** Refuses a special id that is not below V: of `owner`, before anything is drawn. */
export function checkSpecialIds({ vocabSize }: Candidates, { special_ids = [] }: XtcOptions, owner: string): void {
  checkWithin(special_ids, vocabSize, owner, 'special_ids');
}
