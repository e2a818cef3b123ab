/**
 * Formats that the engine takes more of than there is: days that are in no calendar, minutes that had no leap second,
 * names in Punycode that stand for nothing. These patterns take a little less instead: no leap second, no Punycode.
 */
const DAY = '(?:0[1-9]|1\\d|2[0-8])';
const DATE = [
  `\\d{4}-(?:0[13-9]|1[0-2])-(?:${DAY}|29|30)`,
  '\\d{4}-(?:0[13578]|1[02])-31',
  `\\d{4}-02-${DAY}`,
  '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29',
].join('|');
const HOUR = '(?:[01]\\d|2[0-3])';
const TIME = `${HOUR}:[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:[zZ]|[+-]${HOUR}:[0-5]\\d)`;
const [LETTER, INNER] = ['[A-Za-z0-9]', '[A-Za-z0-9-]'];
/** At most 63 characters, and no two hyphens where Punycode has them. */
const LABEL = `${LETTER}(?:${LETTER}|${INNER}(?:${LETTER}(?:${INNER}{0,59}${LETTER})?|-${LETTER}(?:${INNER}{0,58}${LETTER})?))?`;

/** A schema for the strings of each. */
export const FORMAT_PATTERNS: ReadonlyMap<unknown, { readonly pattern: string; readonly maxLength?: number }> = new Map(
  [
    ['date', { pattern: `^(?:${DATE})$` }],
    ['time', { pattern: `^${TIME}$` }],
    ['date-time', { pattern: `^(?:${DATE})[tT]${TIME}$` }],
    ['hostname', { pattern: `^${LABEL}(?:\\.${LABEL})*$`, maxLength: 253 }],
  ],
);
