/**
 * The options of both versions of mirostat.
 */
import { numberIn, share } from '../../schema.js';
import * as z from '../../zod.js';

/** No id can be so surprising: the smallest double above 0 is 2^-1074. */
const MOST_BITS = 1024;

export const mirostatOptions = z.strictObject({
  tau: z._default(
    numberIn(`a number in [0, ${MOST_BITS}]`, (x) => x >= 0 && x <= MOST_BITS),
    5,
  ),
  eta: z._default(share(), 0.1),
});
