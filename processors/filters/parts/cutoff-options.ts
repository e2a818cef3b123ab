/**
 * The options of the filters whose threshold is a probability.
 */
import { integerFrom, numberIn } from '../../schema.js';
import * as z from '../../zod.js';

export const cutoffOptions = z.strictObject({
  epsilon: numberIn('a number in [0, 1)', (x) => x >= 0 && x < 1),
  min_keep: z.optional(integerFrom(1)),
});
