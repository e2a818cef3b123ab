/**
 * What the engine says of a grammar that was translated for it, in the terms of the grammar as the user wrote it.
 */

/** A line of the engine's pattern, the marks below a part of it, and what is wrong with that. */
const PATTERN_ERROR = /regex parse error:\n(?<line>.*)\n(?<space> *)(?<marks>\^+)\nerror: (?<what>.*)/;

/** `message` with the patterns as they were given, by what stands for each in the engine, and without the engine's text. */
export function engineReason(message: string, patterns: ReadonlyMap<string, string> = new Map()): string {
  const { line = '', space = '', marks = '', what } = PATTERN_ERROR.exec(message)?.groups ?? {};
  if (what !== undefined) return `${what}: ${line.slice(space.length, space.length + marks.length)}`;
  let text = message;
  for (const [written, given] of patterns) text = text.replaceAll(written, () => given);
  return text;
}
