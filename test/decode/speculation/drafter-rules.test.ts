/**
 * Where the drafters that look up and count decide between two answers, and what they refuse.
 */
import { describe, expect, it } from 'vitest';
import type { DraftRequest, DraftToken } from '../../../src/decode/speculation/draft.js';
import { NgramTable } from '../../../src/decode/speculation/ngram-table.js';
import { PromptLookupDrafter } from '../../../src/decode/speculation/prompt-lookup-drafter.js';

function drafted(drafter: PromptLookupDrafter, prompt: readonly number[], count: number): number[] {
  const request: DraftRequest = { prompt, vocabSize: 10, endIds: [], uniform: () => 0 };
  return (drafter.open(request).propose(count) as readonly DraftToken[]).map(({ id }) => id);
}

describe('PromptLookupDrafter', () => {
  it('takes the latest place that matches maxNgram ids, not an earlier one that would match more', () => {
    const ids = [1, 2, 3, 7, 9, 2, 3, 8, 1, 2, 3];
    expect(drafted(new PromptLookupDrafter({ maxNgram: 2 }), ids, 1)).toEqual([8]);
    expect(drafted(new PromptLookupDrafter({ maxNgram: 3 }), ids, 1)).toEqual([7]);
  });

  it('takes the latest of several places that match maxNgram ids', () => {
    const ids = [1, 2, 5, 1, 2, 6, 1, 2, 7, 1, 2];
    expect(drafted(new PromptLookupDrafter({ maxNgram: 2 }), ids, 1)).toEqual([7]);
    expect(drafted(new PromptLookupDrafter({ maxNgram: 8 }), ids, 1)).toEqual([7]);
  });

  it('finds a match at the very beginning of the prompt', () => {
    expect(drafted(new PromptLookupDrafter(), [1, 2, 9, 1, 2], 1)).toEqual([9]);
    expect(drafted(new PromptLookupDrafter({ minNgram: 3 }), [1, 2, 9, 1, 2], 1)).toEqual([]);
    expect(drafted(new PromptLookupDrafter({ minNgram: 3 }), [1, 2, 3, 9, 1, 2, 3], 1)).toEqual([9]);
    expect(drafted(new PromptLookupDrafter({ minNgram: 1 }), [3, 3], 1)).toEqual([3]);
  });

  it('may match a part only: its default minNgram is 2, and 1 where maxNgram is', () => {
    expect(drafted(new PromptLookupDrafter(), [1, 2, 9, 1, 3, 2], 1)).toEqual([]);
    expect(drafted(new PromptLookupDrafter({ maxNgram: 1 }), [1, 2, 9, 1, 3, 2], 1)).toEqual([9]);
  });

  it.each([
    [{ minNgram: 0 }, '`minNgram` must be an integer >= 1, got 0'],
    [{ minNgram: 1.5 }, '`minNgram` must be an integer >= 1, got 1.5'],
    [{ minNgram: 3, maxNgram: 2 }, '`maxNgram` must be an integer >= 3, got 2'],
    [{ maxNgram: 2.5 }, '`maxNgram` must be an integer >= 1, got 2.5'],
    [{ maxNgram: 0 }, '`maxNgram` must be an integer >= 1, got 0'],
  ])('refuses %o', (options, message) => {
    expect(() => new PromptLookupDrafter(options)).toRefuse(`PromptLookupDrafter: ${message}`);
  });
});

describe('NgramTable', () => {
  it.each([
    {
      why: 'the higher id came first',
      corpus: [
        [1, 7],
        [1, 3],
      ],
      next: 3,
    },
    {
      why: 'the lower id came first',
      corpus: [
        [1, 3],
        [1, 7],
      ],
      next: 3,
    },
    {
      why: 'the more frequent one is the higher',
      corpus: [
        [1, 3],
        [1, 7],
        [1, 7],
      ],
      next: 7,
    },
    {
      why: 'the more frequent one came first',
      corpus: [
        [1, 7],
        [1, 7],
        [1, 3],
      ],
      next: 7,
    },
    {
      why: 'the more frequent one is the lower and came later',
      corpus: [
        [1, 7],
        [1, 3],
        [1, 3],
      ],
      next: 3,
    },
    {
      why: 'the more frequent one came before and after the other',
      corpus: [
        [1, 7],
        [1, 3],
        [1, 7],
      ],
      next: 7,
    },
    { why: 'the id is 0', corpus: [[1, 0]], next: 0 },
  ])('gives the most frequent id, of equally frequent ones the lowest, where $why', ({ corpus, next }) => {
    expect(new NgramTable(corpus).next([1])).toBe(next);
  });

  it('takes an order of 2, with one id of context', () => {
    const table = new NgramTable([[1, 2, 3, 9, 2, 4, 2, 4]], 2);
    expect(table.order).toBe(2);
    expect(table.next([1, 2])).toBe(4); // behind 2 came 4 twice, whatever was before
    expect(table.size).toBe(5);
  });

  it('takes the id 0 in a text, as context and as what follows', () => {
    const table = new NgramTable([[0, 5, 0]]);
    expect([table.next([0]), table.next([5])]).toEqual([5, 0]);
  });

  it.each([-1, 0.5, Number.NaN, 2 ** 53])('refuses the id %s at the very beginning of a text', (id) => {
    expect(() => new NgramTable([[id, 1]])).toRefuse(`NgramTable: \`corpus[0][0]\` must be an integer >= 0, got ${id}`);
  });

  it('looks up a context that is longer and shorter than its own', () => {
    const table = new NgramTable([[1, 2, 3]], 4);
    expect(table.next([9, 9, 9, 9, 1, 2])).toBe(3);
    expect(table.next([2])).toBe(3);
  });
});
