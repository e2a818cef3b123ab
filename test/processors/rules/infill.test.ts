import { describe, expect, it } from 'vitest';
import { Infill } from '../../../processors/index.js';
import { createChain } from '../../../src/index.js';
import type { Pcg32 } from '../../../src/random/index.js';
import { PlainCandidates } from '../../candidates/plain-candidates.js';
import { PieceTokenizer } from '../../support/scripted-model.js';
import { agreesWithPlainArrays, expectUnchanged, without } from '../masks/plain-masks.js';
import { apply, kept } from '../step.js';

const M = -Infinity;
const PIECES = ['a', 'ab', 'abc', 'b', 'bc', 'x', 'y', ''];
const TOKENIZER = new PieceTokenizer(PIECES);
const END = 7;

function left(weights: readonly number[], end_ids = [END]): number[] {
  return kept(
    apply(
      new Infill({ end_ids }, TOKENIZER),
      weights.map((weight) => Math.log(weight)),
    ),
  );
}

describe('Infill', () => {
  it.each([
    // a, ab, abc, b, bc, x, y, end
    { weights: [0, 0, 0, 0, 0, 50, 50, 20], ids: [7], why: '3 E n is above T: it ends' },
    { weights: [0, 0, 0, 0, 0, 60, 60, 10], ids: [5, 6, 7], why: 'below: it goes on, and may still end' },
    { weights: [15, 15, 15, 0, 0, 55, 0, 0], ids: [0, 5], why: 'a, ab and abc are one, with 0.45' },
    { weights: [10, 25, 10, 0, 0, 55, 0, 0], ids: [1, 5], why: 'the likeliest of them stays' },
    { weights: [0, 0, 0, 25, 25, 0, 50, 0], ids: [3, 6], why: 'of equal ones the beginning stays' },
    { weights: [10, 0, 0, 10, 0, 40, 40, 0], ids: [5, 6], why: 'below 0.2 is not sure enough' },
    { weights: [45, 0, 0, 0, 0, 33, 22, 0], ids: [0, 5], why: 'below 1 / (m + 1) of three' },
  ])('of $weights keeps $ids: $why', ({ weights, ids }) => {
    expect(left(weights)).toEqual(ids);
  });

  it('goes on where 3 E n is exactly T, here 12 / 13', () => {
    const logits = [M, M, M, 2, M, 2, 2, 0].map((power) => power * Math.LN2); // q = 4, 4 and 4 of 13, and 1 for the end
    expect(kept(apply(new Infill({ end_ids: [END] }, TOKENIZER), logits))).toEqual([3, 5, 6, 7]);
  });

  it('keeps the likeliest end id alone where it is sure of no text', () => {
    const pieces = [...'abcdefghij'].map((letter) => letter);
    const tokenizer = new PieceTokenizer([...pieces, '', '']);
    const step = new Infill({ end_ids: [10, 11] }, tokenizer);
    const text = pieces.map((_, i) => Math.log(10 - i / 100));
    expect(kept(apply(step, [...text, Math.log(0.1), Math.log(0.2)]))).toEqual([11]);
    expect(kept(apply(step, [...text, M, M]))).toEqual([0]);
  });

  it('keeps logits as they are', () => {
    const set = apply(new Infill({ end_ids: [END] }, TOKENIZER), [1, 2, M, M, M, 3, M, M]);
    expect([...set.ids()].map((id) => set.logit(id))).toEqual([2, 3]);
  });

  agreesWithPlainArrays((random: Pcg32, V) => {
    const letters = () => Array.from({ length: random.below(4) }, () => 97 + random.below(2));
    const bytes = Array.from({ length: 1 + random.below(V) }, letters);
    const ends = Array.from({ length: 1 + random.below(3) }, () => random.below(V));
    return {
      step: new Infill({ end_ids: ends }, new PieceTokenizer(bytes)),
      rule: (l) => {
        const stay = plainInfill(l, bytes, new Set(ends));
        return without(
          l,
          [...l.keys()].filter((id) => !stay.includes(id)),
        );
      },
    };
  });

  it('refuses more than 4096 candidates', () => {
    const message = 'Infill: `candidates` must be at most 4096 kept ids: put top-k in front, got 4097';
    const step = new Infill({ end_ids: [END] }, TOKENIZER);
    expectUnchanged(step, new Array(4097).fill(0), message);
    expect(kept(apply(new Infill({ end_ids: [0] }, new PieceTokenizer([''])), new Array(4096).fill(0)))).toEqual([0]);
  });

  it('refuses an end id that is not below V', () => {
    expectUnchanged(
      new Infill({ end_ids: [1, 7] }, TOKENIZER),
      [0, 0, 0],
      'Infill: `end_ids[1]` must be an integer in [0, 3), got 7',
    );
  });

  it.each([
    [{}, 'Infill: `end_ids` must be a non-empty array of ids, got undefined'],
    [{ end_ids: [] }, 'Infill: `end_ids` must be a non-empty array of ids, got []'],
  ])('refuses the options %j', (options, message) => {
    expect(() => new Infill(options as never, TOKENIZER)).toRefuse(message);
  });

  it('is part of chains as data, with the tokenizer of the request', () => {
    const data = [{ use: 'logprobs' }, { use: 'infill', end_ids: [7] }];
    const chain = createChain(data, { tokenizer: TOKENIZER });
    expect(chain.toData()).toEqual(data);
    expect(chain.versions()).toEqual({ infill: 'a tokenizer without an id, 8 ids' });
    expect(() => createChain(data)).toThrow('infill');
  });
});

/** The ids that stay, by the rule, with one probability an id and one loop a sentence. */
function plainInfill(logits: readonly number[], bytes: readonly number[][], ends: ReadonlySet<number>): number[] {
  const { probabilities: q, ranked, ids } = new PlainCandidates(logits);
  let E = 0;
  let T = 0;
  for (const id of ids) {
    if (ends.has(id)) E += q[id] as number;
    else T += q[id] as number;
  }
  if (3 * E * ids.length > T) return ids.filter((id) => ends.has(id));
  const text = (id: number) => String.fromCharCode(...(bytes[id] ?? []));
  const p = [...q];
  const gone = new Set<number>();
  for (const a of ranked) {
    for (const b of ranked) {
      if (gone.has(a) || gone.has(b) || a === b || text(a) === '' || !text(b).startsWith(text(a))) continue;
      const [to, from] = (p[b] as number) > (p[a] as number) ? [b, a] : [a, b];
      p[to] = (p[to] as number) + (p[from] as number);
      gone.add(from);
    }
  }
  const left = ranked.filter((id) => !gone.has(id));
  const first = left.filter((id) => ends.has(id) || (p[id] as number) >= 0.2);
  const m = first.filter((id) => !ends.has(id)).length;
  if (m === 0) return [left.find((id) => ends.has(id)) ?? (ranked[0] as number)];
  let total = 0;
  for (const id of first) total += p[id] as number;
  return first.filter((id) => ends.has(id) || (p[id] as number) / total >= 1 / (m + 1));
}
