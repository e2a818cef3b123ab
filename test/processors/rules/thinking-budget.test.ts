import { describe, expect, it } from 'vitest';
import { ThinkingBudget } from '../../../processors/index.js';
import { createChain, createSampler, ProcessorChain } from '../../../src/index.js';
import { Pcg32 } from '../../../src/random/index.js';
import { PieceTokenizer } from '../../support/scripted-model.js';
import { expectUnchanged } from '../masks/plain-masks.js';
import { apply, kept } from '../step.js';

const M = -Infinity;
const LOGITS = [0, 0, 0, 0, 0, 0, 0, 0];
/** `begin` is 1, `end` is 2 3. */
const MARKS = { begin: [1], end: [2, 3] };

function told(step: ThinkingBudget, ids: readonly number[]): ThinkingBudget {
  for (const id of ids) step.accept(id);
  return step;
}

/** The id that is forced now; undefined where none is. */
function forced(step: ThinkingBudget): number | undefined {
  const left = kept(apply(step, LOGITS));
  expect(step.only(LOGITS.length)).toBe(left.length === 1 ? left[0] : undefined);
  return left.length === LOGITS.length ? undefined : left[0];
}

describe('ThinkingBudget', () => {
  it.each([
    { ids: [], next: undefined, why: 'outside' },
    { ids: [5, 5, 5, 5, 5], next: undefined, why: 'ids outside are not counted' },
    { ids: [1], next: undefined, why: 'begun, with all of the budget left' },
    { ids: [1, 5, 5], next: undefined, why: 'one below the budget' },
    { ids: [1, 5, 5, 5], next: 2, why: 'exactly the budget' },
    { ids: [1, 5, 5, 5, 2], next: 3, why: 'the second id of the end' },
    { ids: [1, 5, 5, 5, 2, 3], next: undefined, why: 'the end is there' },
    { ids: [1, 5, 2, 3, 5, 5, 5], next: undefined, why: 'it ended by itself' },
    { ids: [1, 2, 3], next: undefined, why: 'ended by itself with the last id of the budget' },
    { ids: [1, 5, 5, 2], next: 2, why: 'an end that is half there is forced from its start' },
    { ids: [1, 5, 5, 2, 3], next: undefined, why: 'and completed from elsewhere it is an end' },
    { ids: [1, 2, 2, 3], next: undefined, why: 'an end behind its own beginning' },
    { ids: [1, 5, 2, 3, 1, 5, 5], next: undefined, why: 'a second one has a new budget' },
    { ids: [1, 5, 2, 3, 1, 5, 5, 5], next: 2, why: 'and its own end' },
    { ids: [1, 5, 5, 5, 7], next: 2, why: 'another id in between begins the end anew' },
    { ids: [1, 5, 5, 5, 2, 2], next: 3, why: 'one that begins the end is its first' },
    { ids: [1, 1, 1, 1], next: 2, why: 'the mark of the beginning counts as any id inside' },
  ])('a budget of 3 after $ids forces $next: $why', ({ ids, next }) => {
    expect(forced(told(new ThinkingBudget({ ...MARKS, budget: 3 }), ids))).toBe(next);
  });

  it.each([
    { options: { budget: 0 }, ids: [1], next: 2, why: 'no budget: at once' },
    { options: { budget: 0 }, ids: [], next: undefined, why: 'but not outside' },
    { options: { budget: 0, begun: true }, ids: [], next: 2, why: 'begun by the prompt' },
    { options: { budget: 2, begun: true }, ids: [5], next: undefined, why: 'begun, one left' },
    { options: { budget: 2, begun: true }, ids: [5, 5], next: 2, why: 'begun, none left' },
    { options: { budget: 1, message: [6, 7] }, ids: [1, 5], next: 6, why: 'the message comes first' },
    { options: { budget: 1, message: [6, 7] }, ids: [1, 5, 6, 7], next: 2, why: 'and then the end' },
    { options: { budget: 1, message: [6, 7] }, ids: [1, 5, 6, 7, 2, 3], next: undefined, why: 'and then nothing' },
    {
      options: { budget: 9, begin: [4, 4, 5] },
      ids: [4, 4, 4, 5, 2],
      next: undefined,
      why: 'a beginning that overlaps',
    },
    {
      options: { budget: 0, begin: [4, 4, 5] },
      ids: [4, 4, 4, 5],
      next: 2,
      why: 'a beginning that overlaps itself is found',
    },
    { options: { budget: 0, begin: [4, 5] }, ids: [4, 6, 5], next: undefined, why: 'a beginning in one piece only' },
  ])('with $options after $ids forces $next: $why', ({ options, ids, next }) => {
    expect(forced(told(new ThinkingBudget({ ...MARKS, ...options }), ids))).toBe(next);
  });

  it('agrees with a plain look through all that came, over random texts', () => {
    for (let n = 0; n < 400; n++) {
      const random = new Pcg32(n, 5);
      const options = { begin: [0, 0, 1], end: [1, 0], message: [2], budget: random.below(4) };
      const step = new ThinkingBudget(options);
      const ids: number[] = [];
      for (let t = 0; t < 40; t++) {
        const id = random.below(3);
        ids.push(id);
        step.accept(id);
        const restored = new ThinkingBudget(options);
        restored.restore(JSON.parse(JSON.stringify(step.save())));
        expect([forced(step), forced(restored)], `${ids}`).toEqual([
          plainForced(ids, options),
          plainForced(ids, options),
        ]);
      }
    }
  });

  it('completes a character first, by the tokenizer', () => {
    const euro = [0xe2, 0x82, 0xac];
    const tokenizer = new PieceTokenizer([
      'x',
      '<',
      '>',
      '/',
      [euro[0] as number],
      [euro[1] as number, euro[2] as number],
      '',
    ]);
    const make = () => new ThinkingBudget({ ...MARKS, budget: 2 }, tokenizer);
    expect(make().version).toBe('a tokenizer without an id, 7 ids');
    expect(forced(told(make(), [1, 0, 0]))).toBe(2);
    expect(forced(told(make(), [1, 0, 4]))).toBe(undefined);
    expect(forced(told(make(), [1, 0, 4, 5]))).toBe(2);
    expect(forced(told(make(), [1, 0, 4, 0]))).toBe(2); // never to be completed
    expect(forced(told(make(), [1, 0, 4, 6]))).toBe(2); // an id without bytes
    expect(forced(told(make(), [1, 0, 4, 7]))).toBe(2); // an id that the tokenizer does not have
    expect(forced(told(new ThinkingBudget({ ...MARKS, budget: 2 }), [1, 0, 4]))).toBe(2);
  });

  it('forces in a request, and takes one uniform for every token', () => {
    const chain = new ProcessorChain([new ThinkingBudget({ ...MARKS, budget: 4, begun: true })]);
    const sampler = createSampler({ seed: 3 }, { chain });
    const ids = Array.from({ length: 8 }, () => sampler.sample([1, M, 1, 1, 1, M, M, M]).id);
    expect(ids.slice(4, 6)).toEqual([2, 3]);
    expect(sampler.draws).toBe(8);
  });

  it('refuses a forced id that was removed before, and ids that are not below V', () => {
    const message =
      'ThinkingBudget: `end` must be such that the ids that are forced are among the kept ones when the budget is spent, got 2';
    expectUnchanged(told(new ThinkingBudget({ ...MARKS, budget: 0 }), [1]), [0, 0, M, 0], message);
    expectUnchanged(
      new ThinkingBudget({ ...MARKS, budget: 0 }),
      [0, 0, 0],
      'ThinkingBudget: `end[1]` must be an integer in [0, 3), got 3',
    );
    expectUnchanged(
      new ThinkingBudget({ ...MARKS, budget: 0, message: [4] }),
      [0, 0, 0, 0],
      'ThinkingBudget: `message[0]` must be an integer in [0, 4), got 4',
    );
    expect(new ThinkingBudget({ ...MARKS, budget: 0, begun: true }).only(2)).toBe(undefined);
  });

  it.each([
    [{ ...MARKS }, 'ThinkingBudget: `budget` must be an integer >= 0, got undefined'],
    [{ ...MARKS, budget: -1 }, 'ThinkingBudget: `budget` must be an integer >= 0, got -1'],
    [{ ...MARKS, budget: 1, begin: [] }, 'ThinkingBudget: `begin` must be a non-empty array of ids, got []'],
    [{ ...MARKS, budget: 1, end: [1.5] }, 'ThinkingBudget: `end[0]` must be an integer >= 0, got 1.5'],
    [{ ...MARKS, budget: 1, begun: 1 }, 'ThinkingBudget: `begun` must be true or false, got 1'],
  ])('refuses the options %j', (options, message) => {
    expect(() => new ThinkingBudget(options as never)).toRefuse(message);
  });

  const GOOD = { phase: 'counting', matched: 1, used: 1, owed: 0, forced: 0 };
  it.each([
    null,
    'counting',
    { ...GOOD, phase: 'idle' },
    { ...GOOD, matched: 2 },
    { ...GOOD, phase: 'outside', matched: 1 },
    { ...GOOD, used: -1 },
    { ...GOOD, used: 0.5 },
    { ...GOOD, owed: 4 },
    { ...GOOD, forced: 2 },
  ])('refuses the state %j and stays as it was', (state) => {
    const step = told(new ThinkingBudget({ ...MARKS, budget: 3 }), [1, 2]);
    expect(step.save()).toEqual(GOOD);
    expect(() => step.restore(state as never)).toThrow('ThinkingBudget: `state` must be a state that `save` gave');
    expect(step.save()).toEqual(GOOD);
  });

  it('is part of chains as data', () => {
    const data = [{ use: 'thinking-budget', budget: 3, ...MARKS, begun: false }, { use: 'logprobs' }];
    expect(createChain(data).toData()).toEqual(data);
  });
});

interface PlainOptions {
  readonly begin: readonly number[];
  readonly end: readonly number[];
  readonly message: readonly number[];
  readonly budget: number;
}

/** The same by looking through all ids, each time from the start: `tail` is what a mark may still be found in. */
function plainForced(ids: readonly number[], { begin, end, message, budget }: PlainOptions): number | undefined {
  const plan = [...message, ...end];
  const endsWith = (tail: readonly number[], mark: readonly number[]) =>
    tail.slice(-mark.length).join() === mark.join();
  let tail: number[] = [];
  let inside = false;
  let spent = false;
  let used = 0;
  let at = 0;
  for (const id of ids) {
    tail.push(id);
    if (!inside) {
      if (endsWith(tail, begin)) [inside, spent, used, at, tail] = [true, budget === 0, 0, 0, []];
    } else if (endsWith(tail, end)) [inside, tail] = [false, []];
    else if (spent) at = id === plan[at] ? at + 1 : Number(id === plan[0]);
    else spent = ++used >= budget;
  }
  return inside && spent ? plan[at] : undefined;
}
