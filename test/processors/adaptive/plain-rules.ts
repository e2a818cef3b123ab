/**
 * What mirostat keeps and what adaptive-p makes of the logits, over plain arrays, written from the rule.
 */
import { log } from '../../../src/numerics/log.js';
import { log2 } from '../../../src/numerics/log2.js';
import { pow } from '../../../src/numerics/pow.js';
import { PlainCandidates } from '../../candidates/plain-candidates.js';

/** The ids that stay where mu is as given, in rank order. */
export type Keep = (logits: readonly number[], mu: number) => number[];

export const keepV2: Keep = (logits, mu) => {
  const { probabilities, ranked } = new PlainCandidates(logits);
  const end = ranked.findIndex((id) => -log2(probabilities[id] as number) > mu);
  return ranked.slice(0, end < 0 ? ranked.length : Math.max(end, 1));
};

export const keepV1: Keep = (logits, mu) => {
  const { probabilities, ranked } = new PlainCandidates(logits);
  const best = ranked.slice(0, 100).map((id) => probabilities[id] as number);
  const p = best.filter((share) => share > 0);
  if (p.length < 2) return ranked;
  const ts = p.slice(1).map((_, i) => log((i + 2) / (i + 1)));
  const bs = p.slice(1).map((share, i) => log((p[i] as number) / share));
  const s = ts.reduce((sum, t, i) => sum + t * (bs[i] as number), 0) / ts.reduce((sum, t) => sum + t * t, 0);
  const e = s - 1;
  const denominator = 1 - pow(logits.length, -e);
  const base = denominator === 0 ? pow(2, mu) / log(logits.length) : (e * pow(2, mu)) / denominator;
  const k = pow(base, 1 / s);
  return ranked.slice(0, k < ranked.length ? Math.max(Math.floor(k), 1) : ranked.length);
};

/** The logits after adaptive-p with that target and the state W, N. */
export function adapted(logits: readonly number[], target: number, w: number, n: number): number[] {
  const aim = 2 * target - w / n;
  const t = aim < 0 ? 0 : Math.min(aim, 1);
  return new PlainCandidates(logits).probabilities.map((q, id) => {
    if (logits[id] === -Infinity) return -Infinity;
    const d = Math.abs(q - t) / 0.3;
    return 5 - (10 * d * d) / (1 + d);
  });
}
