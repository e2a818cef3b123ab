/**
 * A trace with its lists of candidates cut to the first few, and what was cut said in it.
 */
import type { Trace, TracedStep } from '../sampler/trace.js';

/** What a list had before it was cut. */
export interface Cut {
  /** Which list: `start`, `steps[2].before`, `draw.walk`. */
  readonly list: string;
  readonly of: number;
}

export interface CutTrace extends Trace {
  /** How many entries of each list are shown, and the lists that had more. Absent where nothing was cut. */
  readonly cut?: { readonly shown: number; readonly lists: readonly Cut[] };
}

/** `trace` with at most `rows` entries a list, most likely first; of the walk the last entry, which it stops at, stays. */
export function cutTrace(trace: Trace, rows: number): CutTrace {
  const lists: Cut[] = [];
  const cut = <T>(list: string, entries: readonly T[], keepsLast = false): readonly T[] => {
    if (entries.length <= rows) return entries;
    lists.push({ list, of: entries.length });
    return keepsLast ? [...entries.slice(0, rows - 1), entries.at(-1) as T] : entries.slice(0, rows);
  };
  const shorter = {
    ...trace,
    start: cut('start', trace.start),
    steps: trace.steps.map(
      (step, i): TracedStep => ({
        ...step,
        changedIds: cut(`steps[${i}].changedIds`, step.changedIds),
        before: cut(`steps[${i}].before`, step.before),
        after: cut(`steps[${i}].after`, step.after),
      }),
    ),
    ...(trace.draw && { draw: { ...trace.draw, walk: cut('draw.walk', trace.draw.walk, true) } }),
  };
  return lists.length === 0 ? trace : { ...shorter, cut: { shown: rows, lists } };
}
