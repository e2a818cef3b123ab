/**
 * The continuations of live beams: cand[b][v] = score[b] + lp[v], and which of them come first.
 */
import type { Hypothesis } from './hypothesis.js';

/** A beam and the logprob of each id behind it, f64[V]; -Infinity for one that may not come. */
export interface BeamRow {
  readonly beam: Hypothesis;
  readonly logprobs: Float64Array;
}

/** Chooses at most `count` continuations, best first. */
export type Chooser = (rows: readonly BeamRow[], count: number) => Hypothesis[];

/**
 * The `count` highest of all continuations, highest first, ties to the lower flat index b * V + v; fewer where fewer are
 * allowed.
 * Source: docs/SPEC.md, "Beam search".
 */
export function bestContinuations(rows: readonly BeamRow[], count: number): Hypothesis[] {
  const best: { readonly row: BeamRow; readonly id: number; readonly total: number }[] = [];
  for (const row of rows) {
    const { logprobs } = row;
    const score = row.beam.logprob;
    for (let id = 0; id < logprobs.length; id++) {
      const total = score + (logprobs[id] as number);
      const worst = best.length < count ? -Infinity : (best[count - 1] as { total: number }).total;
      if (!(total > worst)) continue;
      let place = best.length;
      while (place > 0 && (best[place - 1] as { total: number }).total < total) place--;
      best.splice(place, 0, { row, id, total });
      if (best.length > count) best.pop();
    }
  }
  return best.map(({ row, id }) => row.beam.extend(id, row.logprobs[id] as number));
}
