/**
 * The table of order-ablation.mjs from plain arrays and sorts.
 */
import { stream } from '../../src/core.js';
import { NormalSource } from '../../src/random/index.js';
import { requestRng } from '../../src/spec.js';
import { idAt } from './walk.js';

interface Candidate {
  readonly id: number;
  readonly logit: number;
}
type Step = (kept: readonly Candidate[]) => readonly Candidate[];

const STEPS: Readonly<Record<string, Step>> = {
  temperature: (kept) => kept.map(({ id, logit }) => ({ id, logit: logit / 1.5 })),
  'top-p': (kept) => {
    const ranked = kept.toSorted((a, b) => b.logit - a.logit);
    let sum = 0;
    const crossing = ranked.findIndex((candidate) => {
      sum += Math.exp(candidate.logit) / mass(kept);
      return sum >= 0.8;
    });
    return ranked.slice(0, crossing + 1).toSorted((a, b) => a.id - b.id);
  },
  'min-p': (kept) => {
    const threshold = 0.1 * Math.max(...kept.map(({ logit }) => Math.exp(logit)));
    return kept.filter(({ logit }) => Math.exp(logit) >= threshold);
  },
};

/** Per order, as `a > b > c`: the share of the tokens that differ from those of the first order, in percent. */
export function orderTable(orders: readonly string[]): string[] {
  const normals = new NormalSource(stream(1, 'init'));
  const vectors = Array.from({ length: 50 }, () => Array.from({ length: 60 }, () => 2.5 * normals.normal()));
  const tokens = orders.map((order) => tokensOf(order.split(' > '), vectors));
  return tokens.map((ids) => {
    const differing = ids.filter((id, i) => id !== tokens[0]?.[i]).length;
    return ((100 * differing) / ids.length).toFixed(1);
  });
}

function tokensOf(order: readonly string[], vectors: readonly (readonly number[])[]): number[] {
  const distributions = vectors.map((vector) => {
    const all: readonly Candidate[] = vector.map((logit, id) => ({ id, logit }));
    const kept = order.reduce((left, name) => (STEPS[name] as Step)(left), all);
    return kept.map(({ id, logit }) => ({ id, weight: Math.exp(logit) }));
  });
  return Array.from({ length: 40 }, (_, seed) => {
    const uniforms = requestRng(seed);
    return distributions.map((kept) => idAt(kept, uniforms.uniform()));
  }).flat();
}

function mass(kept: readonly Candidate[]): number {
  return kept.reduce((sum, { logit }) => sum + Math.exp(logit), 0);
}
