/**
 * The rule of DRY as it was first written, with plain arrays: each earlier place where the last id occurs is followed back by
 * itself, which takes the square of the text's length.
 */
import { pow } from '../../../src/numerics/index.js';

export interface PlainDry {
  readonly multiplier: number;
  readonly base: number;
  readonly allowed: number;
  readonly breakers: readonly number[];
  readonly window: number;
}

/** The longest repeat for each id that followed one. */
export function plainRepeats(
  text: readonly number[],
  breakers: readonly number[],
  window: number,
): Map<number, number> {
  const ids = text.slice(Math.max(0, text.length - window));
  const lengths = new Map<number, number>();
  const last = ids.at(-1);
  if (last === undefined || breakers.includes(last)) return lengths;
  for (let i = 0; i < ids.length - 1; i++) {
    const next = ids[i + 1] as number;
    if (ids[i] !== last || breakers.includes(next)) continue;
    let length = 1;
    while (length < 50 && i - length >= 0) {
      const back = ids[ids.length - 1 - length] as number;
      if (ids[i - length] !== back || breakers.includes(back)) break;
      length++;
    }
    lengths.set(next, Math.max(length, lengths.get(next) ?? 0));
  }
  return lengths;
}

export function plainDry(logits: readonly number[], text: readonly number[], options: PlainDry): number[] {
  const { multiplier, base, allowed, breakers, window } = options;
  const after = [...logits];
  for (const [id, length] of plainRepeats(text, breakers, window)) {
    if (length >= allowed) after[id] = (after[id] as number) - multiplier * pow(base, length - allowed);
  }
  return after;
}
