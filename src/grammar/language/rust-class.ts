/**
 * Characters, texts, ranges and counts in Rust's regexes.
 */
const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

/** Half a character of UTF-16: no text of UTF-8 holds it. */
export function isSurrogate(code: number): boolean {
  return code >= FIRST_SURROGATE && code <= LAST_SURROGATE;
}

/** A character as itself where it can mean nothing else, else by its number. */
export function rustCharacter(code: number): string {
  const text = String.fromCodePoint(code);
  return /^[0-9A-Za-z]$/.test(text) ? text : `\\x{${code.toString(16)}}`;
}

/** A text without special signs. */
export function rustText(text: string): string {
  return [...text].map((one) => rustCharacter(one.codePointAt(0) as number)).join('');
}

/** A range, in which Rust takes no surrogates; '' where nothing else is in it. */
export function rustRange(from: number, to: number): string {
  const first = isSurrogate(from) ? LAST_SURROGATE + 1 : from;
  const last = isSurrogate(to) ? FIRST_SURROGATE - 1 : to;
  return first > last ? '' : `${rustCharacter(first)}-${rustCharacter(last)}`;
}

/** How often something is there. */
export function rustTimes(least: number, most: number): string {
  if (most === Number.POSITIVE_INFINITY) return least === 0 ? '*' : least === 1 ? '+' : `{${least},}`;
  if (least === 0 && most === 1) return '?';
  return least === most ? `{${least}}` : `{${least},${most}}`;
}
