/**
 * The options of both forms of XTC.
 */
import { idList } from '../../masks/parts/ids.js';
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
