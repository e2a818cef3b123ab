/**
 * The one phrasing of a refused value: `<Owner>: \`<name>\` must be <domain>, got <value>`.
 *
 * Everything that refuses input throws this, before anything is drawn or changed.
 */
export class InvalidValueError extends RangeError {
  override readonly name = 'InvalidValueError';

  constructor(
    /** Who refuses: a class, a function or a command. */
    readonly owner: string,
    /** The parameter refused. */
    readonly parameter: string,
    /** What it must be, as words: `a number in (0, 1]`. */
    readonly domain: string,
    /** What was given. */
    readonly value: unknown,
  ) {
    super(`${owner}: \`${parameter}\` must be ${domain}, got ${show(value)}`);
  }
}

/** The refusal of what would leave no id to choose from: a mask, a ban, a filter. */
export class NothingLeftError extends InvalidValueError {}

const LONGEST = 80;

/** A value as an error message shows it: short, and with -0, NaN, bigints and strings told apart. */
export function show(value: unknown): string {
  const text = describe(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'function') return `a function (${value.name || 'unnamed'})`;
  if (Array.isArray(value)) return `[${value.slice(0, 20).map(describe).join(', ')}${value.length > 20 ? ', …' : ''}]`;
  if (ArrayBuffer.isView(value))
    return `${value.constructor.name}(${(value as Uint8Array).length ?? value.byteLength})`;
  if (typeof value === 'object' && value !== null) return describeObject(value);
  return String(value);
}

function describeObject(value: object): string {
  const name = value.constructor?.name ?? 'Object';
  if (name !== 'Object') return `a ${name}`;
  const entries = Object.entries(value).slice(0, 8);
  if (entries.length === 0) return '{}';
  return `{ ${entries.map(([key, entry]) => `${key}: ${describe(entry)}`).join(', ')} }`;
}
