/**
 * Logits as JSON: an array of numbers, with the infinities as Python's json module writes them, or as strings.
 *
 * JSON proper has no infinities. A masked id is -Infinity, "-Infinity", "-inf" or null; null is what JavaScript writes
 * for -Infinity, and for NaN too, so that it is taken with a word on how many there were. NaN and Infinity are read as
 * what they are, for the sampler to refuse with their position.
 */
import { InvalidValueError } from '../errors.js';

const OWNER = 'logits';

const WORDS: Readonly<Record<string, number>> = {
  '-inf': -Infinity,
  '-Infinity': -Infinity,
  Infinity: Infinity,
  NaN: NaN,
};

/** The logits in `text`; `note` is told what was taken that may not have been meant. */
export function parseJsonLogits(text: string, note: (line: string) => void): number[] {
  const row = onlyRow(parse(text));
  const nulls = row.flatMap((entry, i) => (entry === null ? [i] : []));
  if (nulls.length > 0) note(`logits: null, ${nulls.length} times, first at [${nulls[0]}], is taken as -Infinity`);
  return row.map(toLogit);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parseWithWords(text);
  }
}

/** With NaN, Infinity and -Infinity put in quotes where they stand outside of strings. */
function parseWithWords(text: string): unknown {
  const quoted = text.replace(/"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g, (found) =>
    found.startsWith('"') ? found : `"${found}"`,
  );
  try {
    return JSON.parse(quoted);
  } catch {
    throw new InvalidValueError(OWNER, 'input', 'a JSON array', text.slice(0, 100));
  }
}

/** The array itself, or the one row of a batch. */
function onlyRow(value: unknown): unknown[] {
  let row = value;
  while (Array.isArray(row) && row.length === 1 && Array.isArray(row[0])) [row] = row;
  if (!Array.isArray(row)) throw new InvalidValueError(OWNER, 'input', 'a JSON array', kindOf(row));
  if (row.some(Array.isArray)) throw new InvalidValueError(OWNER, 'input', 'one row of logits', 'rows within rows');
  return row;
}

function toLogit(entry: unknown, i: number): number {
  if (typeof entry === 'number') return entry;
  if (entry === null) return -Infinity;
  const word = typeof entry === 'string' ? WORDS[entry] : undefined;
  if (word !== undefined) return word;
  throw new InvalidValueError(OWNER, `logits[${i}]`, 'a number, null or "-Infinity"', kindOf(entry));
}

/** Not the whole value: it may be as deep and as long as a file. */
function kindOf(value: unknown): string {
  if (typeof value === 'string') return `the string ${JSON.stringify(value.slice(0, 40))}`;
  return typeof value === 'object' ? 'an object' : String(value);
}
