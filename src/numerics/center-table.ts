/**
 * The tables of `log` and `log2`: for each of n equal intervals of [0.6875, 1.375) (equal in their leading bits, so
 * twice as wide from 1 on), one value 1/c near the inverse of its middle, and the logarithm of c.
 *
 * Each c is one whose logarithm lies within 2^-65 of a multiple of 2^-43 (2^-42 for base 2): so the logarithm needs to be
 * computed to a dozen bits more than that alone, and the multiple next to it is the number of the original table, exactly.
 */
import { fromWords, highWord, lowWord } from './bits.js';

const START_HIGH = 0x3fe60000; // high word of 0.6875
const TWO_32 = 4294967296;
const BINADE = 0x100000; // from a number's high word to that of its double
const LAST_TERM = 27; // of the series, odd, at |s| < 0.19: what is left out is below 2^-70

/**
 * Pairs of 1/c and log(c), f64[2 n].
 *
 * @param steps from the inverse of each interval's middle, rounded, to 1/c: in units of its last place
 * @param unit the logarithms are multiples of 1 / unit
 * @param base the natural logarithm of their base
 */
export function centerTable(steps: readonly number[], unit: number, base = 1): Float64Array {
  const table = new Float64Array(2 * steps.length);
  const width = BINADE / steps.length;
  steps.forEach((step, i) => {
    const begin = START_HIGH + i * width;
    const inverse = moved(2 / (fromWords(begin, 0) + fromWords(begin + width, 0)), step);
    table[2 * i] = inverse;
    table[2 * i + 1] = Math.round((minusLog(inverse) / base) * unit) / unit;
  });
  return table;
}

/** `x` and so many units in the last place. */
function moved(x: number, units: number): number {
  const low = lowWord(x) + units;
  return fromWords(highWord(x) + Math.floor(low / TWO_32), low);
}

/** -log(v), to about 2^-52: the series 2 (s + s^3 / 3 + s^5 / 5 + …) at s = (1 - v) / (1 + v). */
function minusLog(v: number): number {
  const s = (1 - v) / (1 + v);
  let sum = 0;
  for (let n = LAST_TERM; n > 0; n -= 2) sum = sum * s * s + 2 / n;
  return sum * s;
}
