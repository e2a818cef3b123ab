/**
 * Beam sampling: continuations drawn without replacement from the softmax over all of them.
 *
 * With w = exp(cand - max cand) over the allowed continuations in ascending flat index b * V + v: each pick takes one
 * uniform u; Z is the sum of the w that are left, and walking them in that order adding w / Z to c, the pick is the first
 * with u < c, or the last with w > 0 where rounding leaves c <= u. A pick leaves the walk. As many are picked as asked for
 * and have w > 0. The picks are then ordered as if ranked: highest cand first, ties to the lower flat index.
 * Source: Hugging Face's beam sampling, whose draws come from torch's generator and cannot be had elsewhere; the walk is
 * that of docs/SPEC.md, step 11.
 */
import type { Numerics } from '../../numerics/numerics.js';
import type { UniformSource } from '../../random/pcg32.js';
import { drawUniform } from '../../random/uniform.js';
import type { BeamRow, Chooser } from './continuations.js';
import type { Hypothesis } from './hypothesis.js';

interface Pool {
  readonly row: Int32Array;
  readonly id: Int32Array;
  readonly weight: Float64Array;
}

/** Draws with `uniforms`. */
export function drawWith(uniforms: UniformSource, numerics: Numerics): Chooser {
  return (rows, count) => {
    const pool = fill(rows, numerics);
    const picks: number[] = [];
    while (picks.length < count) {
      const pick = draw(pool.weight, uniforms);
      if (pick < 0) break;
      pool.weight[pick] = 0;
      picks.push(pick);
    }
    return rank(picks, pool, rows);
  };
}

/** The allowed continuations in flat order. */
function fill(rows: readonly BeamRow[], numerics: Numerics): Pool {
  const totals: number[] = [];
  const row: number[] = [];
  const id: number[] = [];
  let max = -Infinity;
  rows.forEach(({ beam, logprobs }, index) => {
    for (let v = 0; v < logprobs.length; v++) {
      const total = beam.logprob + (logprobs[v] as number);
      if (total === -Infinity) continue;
      totals.push(total);
      row.push(index);
      id.push(v);
      if (total > max) max = total;
    }
  });
  const weight = Float64Array.from(totals, (total) => numerics.exp(total - max));
  return { row: Int32Array.from(row), id: Int32Array.from(id), weight };
}

/** An index with its share of the weights; -1 when none is left, and then nothing was drawn. */
function draw(weights: Float64Array, uniforms: UniformSource): number {
  let total = 0;
  for (let i = 0; i < weights.length; i++) total += weights[i] as number;
  if (total === 0) return -1;
  const u = drawUniform(uniforms, 'beamSearch');
  let c = 0;
  let last = -1;
  for (let i = 0; i < weights.length; i++) {
    const weight = weights[i] as number;
    if (weight === 0) continue;
    c += weight / total;
    if (u < c) return i;
    last = i;
  }
  return last;
}

function rank(picks: readonly number[], pool: Pool, rows: readonly BeamRow[]): Hypothesis[] {
  const flat = [...picks].sort((a, b) => a - b);
  const drawn = flat.map((pick) => {
    const { beam, logprobs } = rows[pool.row[pick] as number] as BeamRow;
    const id = pool.id[pick] as number;
    return beam.extend(id, logprobs[id] as number);
  });
  return drawn.sort((a, b) => b.logprob - a.logprob);
}
