/**
 * Numbers that the engine would count wrongly: it has integers of 64 bits.
 */
import { at, refusal } from '../refusal.js';
import { isOfIntegers, type Schema } from './keywords.js';

const LARGEST_MULTIPLE = 10_000;
/** Beyond it the engine's integers overflow. */
const LARGEST_BOUND = 1e18 - 128;
/** Beyond it the next number is not the next integer. */
const LARGEST_EXCLUSIVE_BOUND = Number.MAX_SAFE_INTEGER;
/** The first integer that 64 bits with a sign do not hold, and the last number above its opposite. */
const BEYOND_64_BITS = 0x8000_0000_0000_0000;
const LEAST_BOUND = -(BEYOND_64_BITS - 1024);
const MOST_DECIMALS = 30;
/** The engine multiplies divisors in 32 bits. */
const BEYOND_32_BITS = 0x1_0000_0000n;

/** Refuses numbers of `schema` that the engine cannot keep to; bounds beyond all integers of 64 bits become those. */
export function checkNumbers(schema: Schema, path: string): void {
  checkMultiple(schema, path);
  for (const key of ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum'] as const) {
    const bound = schema[key];
    if (typeof bound !== 'number') continue;
    if (!isBeyondIntegers(schema, key, bound)) checkBound(bound, key, path);
    else if (bound < 0) schema[key] = LEAST_BOUND; // of the least integer the engine cannot take the sign
  }
}

/** The engine's automaton has a state for each remainder of the divisor, written without its decimal point. */
function checkMultiple({ multipleOf }: Schema, path: string): void {
  if (typeof multipleOf !== 'number') return;
  const { digits, decimals } = decimal(multipleOf);
  if ((decimals > 0 ? Number(digits) : multipleOf) <= LARGEST_MULTIPLE && decimals <= MOST_DECIMALS) return;
  throw refusal(at(path, 'multipleOf'), `at most ${LARGEST_MULTIPLE} without its decimal point`, multipleOf);
}

/**
 * Refuses divisors of which two may hold for one number and be too large for the engine to find their common multiples.
 * Which of them do is not looked for: hardly any schema has so many.
 */
export function checkDivisors(divisors: ReadonlySet<number>, path: string): void {
  const read = [...divisors].map(decimal);
  const most = read.reduce((sum, { decimals }) => Math.max(sum, decimals), 0);
  const whole = read.map(({ digits, decimals }) => BigInt(digits + '0'.repeat(most - decimals)));
  let common = 1n;
  for (const divisor of whole) {
    const next = lcm(common, divisor);
    if (whole.length > 1 && (whole.length === 2 ? common * divisor : next * next) >= BEYOND_32_BITS) {
      const domain = `a schema whose \`multipleOf\` have common multiples, their square without its point below ${BEYOND_32_BITS}`;
      throw refusal(path, domain, [...divisors]);
    }
    common = next;
  }
}

function lcm(a: bigint, b: bigint): bigint {
  let [divisor, rest] = [a, b];
  while (rest > 0n) [divisor, rest] = [rest, divisor % rest];
  return (a / divisor) * b;
}

function checkBound(bound: number, key: string, path: string): void {
  const most = key.startsWith('exclusive') ? LARGEST_EXCLUSIVE_BOUND : LARGEST_BOUND;
  if (Math.abs(bound) <= most && decimal(bound).decimals <= MOST_DECIMALS) return;
  throw refusal(at(path, key), `between -${most} and ${most}, with at most ${MOST_DECIMALS} decimals`, bound);
}

/** Whether a bound leaves all integers of 64 bits: then the engine writes those. */
function isBeyondIntegers(schema: Schema, key: string, bound: number): boolean {
  return isOfIntegers(schema) && Math.abs(bound) >= BEYOND_64_BITS && key.endsWith('inimum') === bound < 0;
}

/** The digits of a number without its point, and how many of them stand behind it: -1.25 has 125 and 2. */
function decimal(value: number): { digits: string; decimals: number } {
  const [mantissa = '', power = '0'] = Math.abs(value).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  return { digits, decimals: digits.length - 1 - Number(power) };
}
