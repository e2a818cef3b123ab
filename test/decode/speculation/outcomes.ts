/**
 * Every way that a speculative run can go, with its probability and uniforms that lead there: exact, nothing is sampled.
 *
 * Each uniform of a run falls into one of a few intervals, whose lengths are known: those of an inverse CDF, or accept and
 * reject. The tree of all of them is walked here, with every distribution computed afresh from the history.
 */
import type { DraftToken } from '../../../src/decode/speculation/draft.js';
import { acceptRatio, residual } from '../../../src/decode/speculation/verify.js';

type Ids = readonly number[];

/** What the run does, by its history. */
export interface Scheme {
  /** p after the generated ids. */
  readonly target: (output: Ids) => Float64Array;
  /** What the next id of a draft is drawn from; or the id, where the draft is deterministic; or nothing. */
  readonly drafter: (output: Ids, drafted: Ids) => Float64Array | number | undefined;
  readonly draftTokens: number;
  readonly maxTokens: number;
  readonly endId: number;
}

/** One way to go. */
export interface Outcome {
  /** The ids, an end id included. */
  readonly ids: Ids;
  readonly probability: number;
  /** Uniforms in the middle of their intervals, in the order in which they are drawn. */
  readonly uniforms: readonly number[];
}

type Branch = Outcome;

/** All outcomes of a run. */
export function* outcomes(
  scheme: Scheme,
  from: Branch = { ids: [], probability: 1, uniforms: [] },
): Generator<Outcome> {
  for (const { draft, branch } of drafts(scheme, from, [])) {
    for (const after of verified(scheme, branch, draft)) {
      if (isOver(scheme, after.ids)) yield after;
      else yield* outcomes(scheme, after);
    }
  }
}

/** The probability of every text that the target itself generates, by its ids. */
export function targetOutcomes(scheme: Scheme, ids: Ids = [], probability = 1): Map<string, number> {
  if (isOver(scheme, ids)) return new Map([[ids.join(), probability]]);
  const all = [...scheme.target(ids)].flatMap((p, id) =>
    p === 0 ? [] : [...targetOutcomes(scheme, [...ids, id], probability * p)],
  );
  return new Map(all);
}

function isOver({ maxTokens, endId }: Scheme, ids: Ids): boolean {
  return ids.length === maxTokens || ids.at(-1) === endId;
}

/** Every draft after `from`. */
function* drafts(
  scheme: Scheme,
  from: Branch,
  draft: readonly DraftToken[],
): Generator<{ draft: readonly DraftToken[]; branch: Branch }> {
  const drafted = draft.map(({ id }) => id);
  const isFull = drafted.length === scheme.draftTokens || drafted.at(-1) === scheme.endId;
  const next = isFull ? undefined : scheme.drafter(from.ids, drafted);
  if (next === undefined) yield { draft, branch: from };
  else if (typeof next === 'number') yield* drafts(scheme, from, [...draft, { id: next }]);
  else {
    for (const { id, share, middle } of intervals(next)) {
      const branch = { ...from, probability: from.probability * share, uniforms: [...from.uniforms, middle] };
      yield* drafts(scheme, branch, [...draft, { id, q: next }]);
    }
  }
}

/** Every end of the block that `draft` begins. */
function* verified(scheme: Scheme, from: Branch, draft: readonly DraftToken[]): Generator<Branch> {
  const p = scheme.target(from.ids);
  const [first, ...rest] = draft;
  if (first === undefined) {
    for (const { id, share, middle } of intervals(p)) yield entered(from, id, share, [middle]);
    return;
  }
  const accept = Math.min(1, acceptRatio(p, first));
  if (accept > 0) {
    const after = entered(from, first.id, accept, [accept / 2, 0.5]);
    if (isOver(scheme, after.ids)) yield after;
    else yield* verified(scheme, after, rest);
  }
  if (accept === 1) return;
  for (const { id, share, middle } of intervals(residual(p, first))) {
    yield entered(from, id, (1 - accept) * share, [(accept + 1) / 2, middle]);
  }
}

function entered(from: Branch, id: number, share: number, uniforms: readonly number[]): Branch {
  return {
    ids: [...from.ids, id],
    probability: from.probability * share,
    uniforms: [...from.uniforms, ...uniforms],
  };
}

/** The intervals of an inverse CDF in ascending id order. */
function intervals(distribution: Float64Array): { id: number; share: number; middle: number }[] {
  let c = 0;
  return [...distribution].flatMap((share, id) => {
    const middle = c + share / 2;
    c += share;
    return share === 0 ? [] : [{ id, share, middle }];
  });
}
