/**
 * The formats of strings that are enforced, as regular expressions of JavaScript.
 *
 * Each is at most what the standard allows, so that every validator takes it: no host names in punycode, no IPv4 address
 * at the end of an IPv6 one, leap seconds only where they can be.
 */
import { regexes } from 'zod/v4/core';

const DAY = `(?:${[
  '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29',
  '[0-9]{4}-(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])',
  '[0-9]{4}-(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)',
  '[0-9]{4}-02-(?:0[1-9]|1[0-9]|2[0-8])',
].join('|')})`;
const ZONE = '(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])';
const TIME = `(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]+)?${ZONE}|23:59:60(?:\\.[0-9]+)?(?:[Zz]|[+-]00:00))`;
const HOURS = '(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)';
const DAYS = '(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)';
/** At most 63 letters, digits and hyphens, no hyphen at either end, no two of them in third and fourth place. */
const LABEL = (() => {
  const end = '[0-9A-Za-z]';
  const inner = '[0-9A-Za-z-]';
  return `${end}(?:${end}|${inner}${end}|${inner}{2}${end}|${inner}(?:${end}${inner}|-${end})${inner}{0,58}${end})?`;
})();
const HOST = `${LABEL}(?:\\.${LABEL})*`;
const BYTE = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const IPV4 = `${BYTE}(?:\\.${BYTE}){3}`;
const HEX = '[0-9A-Fa-f]{1,4}';
/** All eight groups, or fewer with `::` once. */
const IPV6 = `(?:${[
  `(?:${HEX}:){7}${HEX}`,
  `(?:${HEX}:){1,7}:`,
  ...[6, 5, 4, 3, 2, 1].map((before) => `(?:${HEX}:){1,${before}}(?::${HEX}){1,${7 - before}}`),
  `:(?::${HEX}){1,7}`,
  '::',
].join('|')})`;
const ESCAPED = '%[0-9A-Fa-f]{2}';
const PLAIN = "0-9A-Za-z._~!$&'()*+,;=\\-";
const SEGMENT = `(?:[${PLAIN}:@]|${ESCAPED})`;
const AUTHORITY = `(?:(?:[${PLAIN}:]|${ESCAPED})*@)?(?:\\[${IPV6}\\]|(?:[${PLAIN}]|${ESCAPED})*)(?::[0-9]*)?`;
const PATH = `(?://${AUTHORITY}(?:/${SEGMENT}*)*|/(?:${SEGMENT}+(?:/${SEGMENT}*)*)?|${SEGMENT}+(?:/${SEGMENT}*)*)?`;
const TAIL = `(?:\\?(?:${SEGMENT}|[/?])*)?(?:#(?:${SEGMENT}|[/?])*)?`;
/** As PATH, but no colon in what it begins with, which would end a scheme. */
const RELATIVE_PATH = `(?://${AUTHORITY}(?:/${SEGMENT}*)*|/(?:${SEGMENT}+(?:/${SEGMENT}*)*)?|(?:[${PLAIN}@]|${ESCAPED})+(?:/${SEGMENT}*)*)?`;
const URI = `[A-Za-z][0-9A-Za-z+.-]*:${PATH}${TAIL}`;
const POINTER = '(?:/(?:[^~/]|~[01])*)*';
const MAIL = "[0-9A-Za-z!#$%&'*+/=?^_`{|}~-]+";

/** By name: the pattern of the whole string, and its most characters. */
export const FORMATS: Readonly<Record<string, { readonly pattern: string; readonly maxLength?: number }>> = {
  'date-time': { pattern: `${DAY}[Tt]${TIME}` },
  date: { pattern: DAY },
  time: { pattern: TIME },
  duration: { pattern: `P(?:[0-9]+W|${DAYS}(?:T${HOURS})?|T${HOURS})` },
  email: { pattern: `${MAIL}(?:\\.${MAIL})*@${HOST}` },
  hostname: { pattern: HOST, maxLength: 253 },
  ipv4: { pattern: IPV4 },
  ipv6: { pattern: IPV6 },
  uuid: { pattern: '[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}' },
  uri: { pattern: URI },
  'uri-reference': { pattern: `(?:${URI}|${RELATIVE_PATH}${TAIL})` },
  'json-pointer': { pattern: POINTER },
  'relative-json-pointer': { pattern: `(?:0|[1-9][0-9]*)(?:#|${POINTER})` },
};

/** By format: a pattern that zod prints beside it and no grammar says, as it looks around, and that the format says, too. */
export const SAID_BY_FORMAT: Readonly<Record<string, string>> = {
  duration: regexes.duration.source,
  hostname: regexes.hostname.source,
};
