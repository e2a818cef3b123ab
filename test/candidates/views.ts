/**
 * The arrays that are copied out of a CandidateSet, against the plain model.
 */
import { expect } from 'vitest';
import type { CandidateSet } from '../../src/core.js';
import { expectSameBits } from '../support/bits.js';
import type { PlainCandidates } from './plain-candidates.js';

export type View = 'ids' | 'logits' | 'probabilities' | 'logProbabilities';
export const VIEWS: readonly View[] = ['ids', 'logits', 'probabilities', 'logProbabilities'];

/** What a view holds, by id. */
function byId(plain: PlainCandidates, view: View): readonly number[] {
  if (view === 'ids') return [...plain.logits.keys()];
  return view === 'logProbabilities' ? plain.logprobs : plain[view];
}

export function expectView(set: CandidateSet, plain: PlainCandidates, view: View): void {
  const all = byId(plain, view);
  const expected = plain.ids.map((id) => all[id] as number);
  const found = set[view]();
  expect(found).toBeInstanceOf(view === 'ids' ? Int32Array : Float64Array);
  expectSameBits(found, expected, view);
}

export function expectRanked(set: CandidateSet, plain: PlainCandidates, count: number): void {
  const ids = plain.ranked.slice(0, count);
  const ranked = set.ranked(count);
  const { probabilities, logits } = plain;
  expect([...ranked.ids]).toEqual(ids);
  expectSameBits(
    ranked.logits,
    ids.map((id) => logits[id] as number),
    'logits by rank',
  );
  expectSameBits(
    ranked.probabilities,
    ids.map((id) => probabilities[id] as number),
    'q by rank',
  );
}
