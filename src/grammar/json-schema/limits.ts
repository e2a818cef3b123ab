/**
 * How large a schema may be: it may come with a request, from anybody. What is beyond it is refused before the engine sees
 * it, which would take seconds for it or run out of stack. Of ten thousand real schemas three are beyond it.
 */
import { type Place, refusal } from './refusal.js';

/** Characters of the schema as JSON. */
export const MOST_CHARACTERS = 1 << 20;
/** Objects, arrays and single values in it. */
const MOST_NODES = 20_000;
const MOST_DEPTH = 64;
const PATTERN_CHARACTERS = 5_000;
/** The multiple as an integer, without its decimal point. */
const MULTIPLE = 10_000;

/** How many there may be of what is listed under a keyword. */
const MOST: Readonly<Record<string, number>> = {
  properties: 1_000,
  $defs: 1_000,
  definitions: 1_000,
  patternProperties: 32,
  anyOf: 500,
  oneOf: 500,
  allOf: 500,
  prefixItems: 500,
  enum: 5_000,
};

interface Entry {
  readonly value: unknown;
  readonly place: Place;
}

/** Throws InvalidValueError for the first value that is beyond a limit. */
export function checkLimits(schema: unknown): void {
  const open: Entry[] = [{ value: schema, place: [] }];
  let nodes = 0;
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const { value, place } = entry;
    if (++nodes > MOST_NODES) throw refusal([], `a schema of at most ${MOST_NODES} values`, schema);
    if (place.length > MOST_DEPTH) throw refusal(place, `at most ${MOST_DEPTH} keys and indices deep`, value);
    checkSize(value, place);
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, part] of Object.entries(value)) {
      open.push({ value: part, place: [...place, Array.isArray(value) ? Number(key) : key] });
    }
  }
}

function checkSize(value: unknown, place: Place): void {
  const keyword = String(place.at(-1));
  if (typeof value === 'object' && value !== null) {
    const most = MOST[keyword] ?? Infinity;
    if (Object.keys(value).length > most) throw refusal(place, `at most ${most} of them`, value);
  }
  if (keyword === 'pattern' && typeof value === 'string' && value.length > PATTERN_CHARACTERS) {
    throw refusal(place, `at most ${PATTERN_CHARACTERS} characters`, value);
  }
  if (keyword === 'multipleOf' && typeof value === 'number' && numerator(value) > MULTIPLE) {
    throw refusal(place, `a number of at most ${MULTIPLE} without its decimal point`, value);
  }
}

/** 0.05 and 50 are 5: their digits without the point and the zeros around them; more than that where it is an integer. */
function numerator(value: number): number {
  const [digits = '', exponent = '0'] = String(Math.abs(value)).split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  const shift = Math.max(0, Number(exponent) - fraction.length);
  return Number(`${whole}${fraction}${'0'.repeat(Math.min(shift, 400))}`);
}
