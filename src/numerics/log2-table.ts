/**
 * The table of `log2`: for each of 64 intervals of [0.6875, 1.375) a value 1/c and the value log2(c), in pairs.
 *
 * Source of the figures: Arm Optimized Routines (MIT), as used by glibc 2.28 and later and by musl. They are data, not
 * a formula: each c was chosen, near the middle of its interval, so that log2(c) is close to a double with zeros at the end.
 * What is written down is how far 1/c is from the middle's inverse; the rest is computed (`center-table.ts`).
 */
import { centerTable } from './center-table.js';

/** From the inverse of each interval's middle to 1/c, in units of its last place. */
// biome-ignore format: eight a line
const STEPS = [
  -328544708, -74476326, 1021141498, -931182196, 504379064, -335614843, -283118344, -758775068,
  270002250, -664773176, 119721058, -796885113, 398067151, 688888268, -781335381, 311471183,
  513703399, 419598957, 649865984, 408218657, 174518592, 571646530, 435428157, -216810764,
  -991209262, -690557345, -1030886551, 398740487, 66223972, 932406211, 967645063, -979151458,
  -28036586, -817826823, -365698287, -981846215, -1065532483, -332011688, 201404552, 363032081,
  -137453701, 900509459, -327015489, -795511436, 214218588, 759630975, -488691505, -693136430,
  -418196895, -982645419, -1031413185, 767668918, 191094814, 358029168, -1027234167, -92054101,
  -59776880, -273556791, -87604962, -82950621, 1000733367, 46436578, 255011079, 359290331,
];

export const LOG2_TABLE = centerTable(STEPS, 4398046511104, Math.LN2); // 2^42
