/**
 * The verify step: accepts a drafted id or draws another, so that the outcome has the target's distribution p.
 *
 * Draft x from q, accept it with probability min(1, p(x) / q(x)), else draw from r = max(0, p - q) / Z. Then
 * P(y) = q(y) min(1, p(y) / q(y)) + (1 - A) r(y) = min(q(y), p(y)) + max(0, p(y) - q(y)) = p(y), as the chance to reject,
 * 1 - A = sum of max(0, q - p), equals Z = sum of max(0, p - q).
 * Nothing but + - * / on float64, sums in ascending id order.
 * Source: docs/SPEC.md, "Speculative decoding"; Leviathan et al. 2022, arXiv 2211.17192; Chen et al. 2023, arXiv
 * 2302.01318.
 */
import type { UniformSource } from '../../random/pcg32.js';
import { checkSource, drawUniform } from '../../random/uniform.js';
import { checkDraft, checkTarget } from './check-draft.js';
import type { DraftToken } from './draft.js';

/** What became of a drafted id. */
export interface Verdict {
  /** The drafted id, or the one drawn in its place. */
  readonly id: number;
  readonly isAccepted: boolean;
}

/**
 * Verifies one drafted id.
 *
 * Takes exactly two uniforms whatever the outcome, first the one to accept by, then the one to draw another by; none where
 * it refuses p, an id outside [0, V), a q that is no distribution over the V ids (entries below 0, a sum that is not 1 to
 * within 1e-4) and one with q(x) = 0. An id with p = 0 never comes of it.
 * @param p f64[V], what the target would draw from, with the history accepted so far
 */
export function verifyDraft(p: Float64Array, draft: DraftToken, uniforms: UniformSource): Verdict {
  checkBoth('verifyDraft', p, draft);
  checkSource('verifyDraft', 'uniforms', uniforms);
  return verifyChecked(p, draft, uniforms);
}

/** As `verifyDraft`, of a target's own p and a draft that was checked when it came. */
export function verifyChecked(p: Float64Array, draft: DraftToken, uniforms: UniformSource): Verdict {
  const toAccept = drawUniform(uniforms, 'verifyDraft');
  const toResample = drawUniform(uniforms, 'verifyDraft');
  if (toAccept < ratioOf(p, draft)) return { id: draft.id, isAccepted: true };
  return { id: drawFrom(surplusOf(p, draft), toResample), isAccepted: false };
}

/** Where a step settles the target's token: the draft is accepted when it is that id. Nothing is drawn. */
export function verifySettled(settled: number, draft: DraftToken): Verdict {
  return { id: settled, isAccepted: draft.id === settled };
}

/**
 * p(x) / q(x), in [0, inf): x is accepted when u is below it. An id that the target's mask bans has p(x) = 0. Refused as by
 * `verifyDraft`.
 */
export function acceptRatio(p: Float64Array, draft: DraftToken): number {
  checkBoth('acceptRatio', p, draft);
  return ratioOf(p, draft);
}

/**
 * r = max(0, p - q) / Z, a new f64[V]; Z is the sum of max(0, p - q) in ascending id order. Where Z is 0, which leaves only
 * rounding to reject by, a copy of p. Refused as by `verifyDraft`.
 */
export function residual(p: Float64Array, draft: DraftToken): Float64Array {
  checkBoth('residual', p, draft);
  return surplusOf(p, draft);
}

function checkBoth(owner: string, p: Float64Array, draft: DraftToken): void {
  checkTarget(owner, p);
  checkDraft(owner, 'draft', draft, p.length);
}

function ratioOf(p: Float64Array, draft: DraftToken): number {
  return (p[draft.id] as number) / qAt(draft, draft.id);
}

function surplusOf(p: Float64Array, draft: DraftToken): Float64Array {
  const r = new Float64Array(p.length);
  let z = 0;
  for (let i = 0; i < p.length; i++) {
    const surplus = (p[i] as number) - qAt(draft, i);
    if (surplus <= 0) continue;
    r[i] = surplus;
    z += surplus;
  }
  if (z === 0) return p.slice();
  for (let i = 0; i < r.length; i++) r[i] = (r[i] as number) / z;
  return r;
}

/**
 * The inverse CDF of a vector: the first id in ascending order at which the running sum exceeds u, in [0, 1). Where rounding
 * leaves the sum at or below u, the largest id with a probability above 0.
 */
export function drawFrom(distribution: Float64Array, u: number): number {
  let c = 0;
  let last = 0;
  for (let i = 0; i < distribution.length; i++) {
    const q = distribution[i] as number;
    if (q === 0) continue;
    c += q;
    if (u < c) return i;
    last = i;
  }
  return last;
}

function qAt({ id, q }: DraftToken, index: number): number {
  if (q !== undefined) return q[index] as number;
  return index === id ? 1 : 0;
}
