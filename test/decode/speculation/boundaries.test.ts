/** On and beside the boundaries of drafters and of what speculation refuses. */
import { describe, expect, it } from 'vitest';
import { SpeculationCounter } from '../../../src/decode/speculation/statistics.js';
import {
  generateSpeculative,
  ModelDrafter,
  NgramTable,
  NgramTableDrafter,
  ProcessorChain,
  PromptLookupDrafter,
} from '../../../src/index.js';
import { PieceTokenizer, ScriptedModel } from '../scripted-model.js';

const letters = new PieceTokenizer(['a', 'b', 'c']);
const flat = () => new ScriptedModel(3, 20, [], () => Float32Array.of(0, 0, 0));
const drafter = new PromptLookupDrafter();

describe('generateSpeculative', () => {
  it.each<[object, object, string]>([
    [{ n: 2 }, {}, '`n` must be 1, got 2'],
    [{ echo: true }, {}, '`echo` must be false, got true'],
    [{}, { drafter: {} }, '`drafter` must be an object with `open`, got {}'],
    [{}, { draftTokens: 0 }, '`draftTokens` must be an integer >= 1, got 0'],
    [{}, { whenFull: 'slide' }, '`whenFull` must be `stop`: a block does not slide, got "slide"'],
    [
      {},
      { chain: new ProcessorChain([{ name: 'coin', draws: 1, process: (_, c) => void c.uniform() }]) },
      '`chain.draws` must be 0, no step that draws, got 1',
    ],
  ])('refuses %o with %o in so many words', (params, options, message) => {
    expect(() => generateSpeculative(flat(), letters, 'a', params, { drafter, ...options })).toRefuse(
      `generateSpeculative: ${message}`,
    );
  });

  it('takes one draft token, and `whenFull: "stop"`', async () => {
    const options = { drafter, draftTokens: 1, whenFull: 'stop' } as never;
    expect((await generateSpeculative(flat(), letters, 'a', { max_tokens: 2, seed: 1 }, options)).ids).toHaveLength(2);
  });

  it('refuses a draft model its request`s parameters, in so many words', () => {
    expect(() => new ModelDrafter(flat(), { seed: 1 } as never)).toRefuse(
      'ModelDrafter: `seed` must be a parameter of the request, not of its drafts, got 1',
    );
  });
});

describe('PromptLookupDrafter', () => {
  it.each([
    [{ minNgram: 0 }, '`minNgram` must be an integer >= 1, got 0'],
    [{ minNgram: 1.5 }, '`minNgram` must be an integer >= 1, got 1.5'],
    [{ minNgram: 3, maxNgram: 2 }, '`maxNgram` must be an integer >= 3, got 2'],
    [{ maxNgram: 2.5 }, '`maxNgram` must be an integer >= 2, got 2.5'],
  ])('refuses %o in so many words', (options, message) => {
    expect(() => new PromptLookupDrafter(options)).toRefuse(`PromptLookupDrafter: ${message}`);
  });

  it.each<[string, object, number[], number[]]>([
    ['a match of exactly the shortest', { minNgram: 2, maxNgram: 2 }, [1, 2, 0, 1, 2], [0, 1, 2]],
    ['nothing for one below it', { minNgram: 3, maxNgram: 3 }, [1, 2, 0, 1, 2], []],
    ['the latest of equally long ones', { minNgram: 1, maxNgram: 1 }, [1, 0, 1, 2, 1], [2, 1, 2]],
    ['the longest, though earlier', { minNgram: 1, maxNgram: 3 }, [2, 1, 0, 1, 2, 2, 1], [0, 1, 2]],
    ['no longer one than allowed', { minNgram: 1, maxNgram: 1 }, [2, 1, 0, 0, 1, 2, 2, 1], [2, 2, 1]],
    ['a match that begins the text', { minNgram: 1, maxNgram: 4 }, [1, 1], [1, 1, 1]],
  ])('drafts by %s', async (_, options, prompt, drafted) => {
    const request = { prompt, vocabSize: 3, endIds: [], uniform: () => Number.NaN };
    const session = await new PromptLookupDrafter(options).open(request);
    expect((await session.propose(3)).map(({ id }) => id)).toEqual(drafted);
  });
});

describe('NgramTable', () => {
  it('takes the order 2, the id 0, and says what is wrong in the first text too', () => {
    expect(new NgramTable([[0, 1]], 2).next([0])).toBe(1);
    expect(() => new NgramTable([[-1]], 2)).toRefuse('NgramTable: `corpus[0][0]` must be an integer >= 0, got -1');
  });

  it.each([
    { corpus: [[0, 2, 0, 1, 0, 1]], next: 1, why: 'the most frequent' },
    { corpus: [[0, 1, 0, 2, 0, 2]], next: 2, why: 'the most frequent, though larger' },
    { corpus: [[0, 2, 0, 1]], next: 1, why: 'of equally frequent ones the lowest, though later' },
    { corpus: [[0, 1, 0, 2]], next: 1, why: 'of equally frequent ones the lowest, though earlier' },
    { corpus: [[0, 2, 0, 1, 0, 2]], next: 2, why: 'the most frequent of two' },
  ])('gives $why', ({ corpus, next }) => {
    expect(new NgramTable(corpus, 2).next([0])).toBe(next);
  });

  it('is asked with the longest end that the order has a use for', async () => {
    const table = new NgramTable([[0, 1, 2, 1, 1, 0]], 3);
    const request = { prompt: [2, 2, 0, 1], vocabSize: 3, endIds: [], uniform: () => Number.NaN };
    const session = await new NgramTableDrafter(table).open(request);
    expect((await session.propose(2)).map(({ id }) => id)).toEqual([2, 1]);
  });
});

describe('the statistics of speculation', () => {
  it('are 0 before anything, and rates afterwards', () => {
    const counter = new SpeculationCounter();
    expect(counter.snapshot()).toMatchObject({ acceptanceRate: 0, tokensPerCall: 0 });
    counter.addDraft(4);
    counter.addCall();
    counter.addVerdict({ id: 1, isAccepted: true });
    counter.addVerdict({ id: 1, isAccepted: false });
    counter.addSample(0);
    counter.addSample(1);
    expect(counter.snapshot()).toEqual({
      ...{ drafted: 4, verified: 2, accepted: 1, resampled: 1, bonus: 1, undrafted: 1, targetCalls: 1 },
      ...{ acceptanceRate: 0.25, tokensPerCall: 4 },
    });
  });
});
