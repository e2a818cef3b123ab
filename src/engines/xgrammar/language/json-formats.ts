/**
 * The formats of strings that are understood, as patterns. Each stays within its format; `email` has the usual addresses.
 */
const DAY_OF_MONTH =
  '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))';
const LEAP_YEAR = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)';
const DATE = `(?:[0-9]{4}-${DAY_OF_MONTH}|${LEAP_YEAR}-02-29)`;
const HOUR_MINUTE = '(?:[01][0-9]|2[0-3]):[0-5][0-9]';
const TIME = `${HOUR_MINUTE}:[0-5][0-9](?:\\.[0-9]{1,6})?(?:Z|[+-]${HOUR_MINUTE})`;
const OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const HEX = '[0-9a-fA-F]';

export const FORMATS: Readonly<Record<string, string>> = {
  date: `^${DATE}$`,
  time: `^${TIME}$`,
  'date-time': `^${DATE}T${TIME}$`,
  uuid: `^${HEX}{8}-${HEX}{4}-${HEX}{4}-${HEX}{4}-${HEX}{12}$`,
  ipv4: `^${OCTET}(?:\\.${OCTET}){3}$`,
  email:
    '^[A-Za-z0-9_+-]{1,32}(?:\\.[A-Za-z0-9_+-]{1,16}){0,1}@(?:[a-z0-9](?:[a-z0-9-]{0,20}[a-z0-9])?\\.){1,3}[a-z]{2,10}$',
};
