import { describe, expect, it } from 'vitest';
import type { DraftRequest, DraftSession } from '../../../src/decode/speculation/draft.js';
import { ModelDrafter } from '../../../src/decode/speculation/model-drafter.js';
import { NgramTable } from '../../../src/decode/speculation/ngram-table.js';
import { NgramTableDrafter } from '../../../src/decode/speculation/ngram-table-drafter.js';
import { PromptLookupDrafter } from '../../../src/decode/speculation/prompt-lookup-drafter.js';
import { drawFrom } from '../../../src/decode/speculation/verify.js';
import { createSampler, InvalidValueError, ProcessorChain } from '../../../src/index.js';
import { Pcg32 } from '../../../src/random/index.js';
import { samplingDistribution } from '../../../src/spec.js';
import { ScriptedModel } from '../../support/scripted-model.js';
import { ScriptedUniforms } from '../../support/scripted-uniforms.js';
import { RunCounter } from './run-counter.js';

function requestFor(
  prompt: readonly number[],
  script: readonly number[] = [],
  endIds: readonly number[] = [],
): DraftRequest {
  const uniforms = new ScriptedUniforms(script);
  return { prompt, vocabSize: 10, endIds, uniform: () => uniforms.uniform() };
}

async function proposed(session: DraftSession, count: number): Promise<number[]> {
  return (await session.propose(count)).map(({ id }) => id);
}

describe('PromptLookupDrafter', () => {
  it.each([
    { why: 'the longest match, not a later shorter one', ids: [1, 2, 3, 4, 9, 3, 5, 1, 2, 3], draft: [4, 9, 3] },
    { why: 'of equally long ones the latest', ids: [1, 2, 7, 1, 2, 8, 1, 2], draft: [8, 1, 2] },
    { why: 'over what it drafted itself', ids: [5, 6, 5, 6], draft: [5, 6, 5] },
    { why: 'one id that repeats', ids: [1, 4, 4, 4], draft: [4, 4, 4] },
    { why: 'nothing where the end is new', ids: [1, 2, 3], draft: [] },
    { why: 'nothing where the match is shorter than minNgram', ids: [1, 2, 3, 2], draft: [] },
    { why: 'nothing after nothing', ids: [], draft: [] },
  ])('drafts $why', async ({ ids, draft }) => {
    expect(await proposed(new PromptLookupDrafter().open(requestFor(ids)), 3)).toEqual(draft);
  });

  it('matches one id when it may, and no more than maxNgram', async () => {
    const short = new PromptLookupDrafter({ minNgram: 1, maxNgram: 1 });
    expect(await proposed(short.open(requestFor([1, 2, 3, 2])), 2)).toEqual([3, 2]);
    const ids = [1, 2, 3, 4, 9, 3, 5, 1, 2, 3];
    expect(await proposed(short.open(requestFor(ids)), 2)).toEqual([5, 1]); // the latest 3
  });

  it('looks in the prompt and in what was accepted, and not in what was not', async () => {
    const session = new PromptLookupDrafter().open(requestFor([1, 2, 3]));
    await session.accept([7, 1]);
    expect(await proposed(session, 2)).toEqual([]);
    await session.accept([2]);
    expect(await proposed(session, 2)).toEqual([3, 7]);
    expect(await proposed(session, 2)).toEqual([3, 7]);
  });

  it('serves several requests at once', async () => {
    const drafter = new PromptLookupDrafter();
    const [one, two] = [drafter.open(requestFor([1, 2, 5, 1, 2])), drafter.open(requestFor([1, 2, 6, 1, 2]))];
    expect([await proposed(one, 1), await proposed(two, 1)]).toEqual([[5], [6]]);
  });
});

describe('NgramTable', () => {
  it('knows what most often followed the longest known end; of equally frequent ids the lowest', () => {
    const table = new NgramTable(
      [
        [1, 2, 3, 1, 2, 4, 9, 2, 4, 1, 2, 3],
        [2, 7],
      ],
      3,
    );
    expect(table.next([1, 2])).toBe(3);
    expect(table.next([9, 2])).toBe(4);
    expect(table.next([8, 2])).toBe(3); // 3 twice, 4 twice, 7 once
    expect(table.next([7])).toBeUndefined(); // no n-gram crosses from one text to the next
    expect(table.next([])).toBeUndefined();
    expect(table.size).toBe(new Set(['1', '2', '3', '4', '9', '1,2', '2,3', '3,1', '2,4', '4,9', '9,2', '4,1']).size);
  });

  it('refuses an order that is none and ids that are none', () => {
    expect(() => new NgramTable([], 1)).toThrow('NgramTable: `order` must be an integer >= 2, got 1');
    expect(() => new NgramTable([[2], [1, -1]])).toRefuse('NgramTable: `corpus[1][1]` must be an integer >= 0, got -1');
    expect(() => new NgramTable([1, 2] as never)).toRefuse(
      'NgramTable: `corpus[0]` must be a text as an array of ids, got 1',
    );
  });
});

describe('NgramTableDrafter', () => {
  it('looks at the last order - 1 ids of prompt and output', async () => {
    const table = new NgramTable(
      [
        [6, 1, 2, 3],
        [6, 1, 2, 3],
        [5, 1, 2, 4],
      ],
      4,
    );
    const session = new NgramTableDrafter(table).open(requestFor([5, 1, 2]));
    expect(await proposed(session, 1)).toEqual([4]);
    await session.accept([6, 1, 2]);
    expect(await proposed(session, 1)).toEqual([3]);
  });

  it('drafts on from what it drafted, as far as the table knows', async () => {
    const session = new NgramTableDrafter(new NgramTable([[1, 2, 3, 4]], 3)).open(requestFor([9, 1]));
    expect(await proposed(session, 2)).toEqual([2, 3]);
    expect(await proposed(session, 9)).toEqual([2, 3, 4]);
    await session.accept([2, 8]);
    expect(await proposed(session, 9)).toEqual([]);
    await session.accept([3]);
    expect(await proposed(session, 9)).toEqual([4]);
  });
});

/** A model whose logits depend on every id before. */
function hashedModel(contextLength = 40, endIds: readonly number[] = []): ScriptedModel {
  const logitsAfter = (ids: readonly number[]) => {
    const rng = new Pcg32(ids.reduce((h, id) => (h * 31 + id + 1) % 1_000_003, 5));
    return Float32Array.from({ length: 10 }, () => rng.uniform() * 4);
  };
  return new ScriptedModel(10, contextLength, endIds, logitsAfter, 0);
}

describe('ModelDrafter', () => {
  const params = { temperature: 0.9, top_p: 0.9, repetition_penalty: 1.4, frequency_penalty: 0.5 };

  it('draws each id from its q, one uniform each, with what was drafted in the history', async () => {
    const model = hashedModel();
    const script = [0.1, 0.7, 0.4];
    const session = await new ModelDrafter(model, params).open(requestFor([4, 5], script));
    const draft = await session.propose(3);
    const output: number[] = [];
    for (const [i, { id, q }] of draft.entries()) {
      const logits = Float32Array.from(model.logitsAfter([0, 4, 5, ...output]));
      expect(q).toEqual(samplingDistribution(logits, params, output, [4, 5]));
      const sampler = createSampler(params, { prompt: [4, 5], history: output });
      expect(id).toBe(drawFrom(sampler.distribution(logits), script[i] as number));
      output.push(id);
    }
    expect(model.appended).toEqual([[0, 4, 5], [output[0]], [output[1]]]);
  });

  it.each([
    { why: 'all of it and another id', keep: 3, others: [9] },
    { why: 'all of it and nothing more', keep: 3, others: [] },
    { why: 'a part and another id', keep: 1, others: [8] },
    { why: 'nothing of it', keep: 0, others: [8] },
    { why: 'more ids than it drafted', keep: 2, others: [8, 9, 9] },
  ])('goes on after $why as one that was told the history at once', async ({ keep, others }) => {
    const script = [0.1, 0.7, 0.4, 0.6, 0.2, 0.9];
    const open = (uniforms: readonly number[]) =>
      new ModelDrafter(hashedModel(), params, { before: [new RunCounter()] }).open(requestFor([4, 5, 5], uniforms));
    const session = await open(script);
    const accepted = [...(await proposed(session, 3)).slice(0, keep), ...others];
    await session.accept(accepted);
    const fresh = await open(script.slice(3));
    await fresh.accept(accepted);
    expect(await session.propose(3)).toEqual(await fresh.propose(3));
  });

  it('goes back to what was accepted last, not further', async () => {
    const script = [0.1, 0.7, 0.4, 0.6, 0.2, 0.9];
    const open = (uniforms: readonly number[]) =>
      new ModelDrafter(hashedModel(), params, { before: [new RunCounter()] }).open(requestFor([4], uniforms));
    const session = await open(script);
    await session.propose(2);
    await session.accept([9, 9]);
    const second = await proposed(session, 2);
    expect(second[0]).not.toBe(9); // banned, as it came twice
    await session.accept([9]);
    const fresh = await open(script.slice(4));
    await fresh.accept([9, 9, 9]);
    const third = await session.propose(2);
    expect(third[0]?.q?.[9]).toBe(0);
    expect(third).toEqual(await fresh.propose(2));
  });

  it('computes nothing twice: it keeps in its session what was accepted of the draft', async () => {
    const model = hashedModel();
    const session = await new ModelDrafter(model, { temperature: 0 }).open(requestFor([4]));
    const [a, b, c] = (await proposed(session, 3)) as [number, number, number];
    const other = (b + 1) % 10;
    await session.accept([a, other]);
    expect(model.truncations).toEqual([3]);
    await session.propose(1);
    expect(model.appended).toEqual([[0, 4], [a], [b], [other]]);
    expect(c).toBeTypeOf('number');
  });

  it('draws nothing where it is greedy, and its drafts are one-hot', async () => {
    const session = await new ModelDrafter(hashedModel(), { temperature: 0 }).open(requestFor([4]));
    for (const token of await session.propose(4)) expect(token).toEqual({ id: token.id });
  });

  it('drafts nothing beyond an end id, its own or the target’s, and nothing beyond its context', async () => {
    const free = await new ModelDrafter(hashedModel(), { temperature: 0 }).open(requestFor([4]));
    const ids = await proposed(free, 4);
    const third = ids.indexOf(ids[2] as number);
    const ended = await new ModelDrafter(hashedModel(), { temperature: 0 }).open(
      requestFor([4], [], [ids[2] as number]),
    );
    expect(await proposed(ended, 4)).toEqual(ids.slice(0, third + 1));
    const own = await new ModelDrafter(hashedModel(40, [ids[2] as number]), { temperature: 0 }).open(requestFor([4]));
    expect(await proposed(own, 4)).toEqual(ids.slice(0, third + 1));
    const short = await new ModelDrafter(hashedModel(4), { temperature: 0 }).open(requestFor([4]));
    expect(await proposed(short, 4)).toEqual(ids.slice(0, 3)); // begin token, prompt and two ids are four positions
    await short.accept(ids);
    expect(await proposed(short, 4)).toEqual([]);
  });

  it('refuses a vocabulary that is not the target’s, parameters of the request and steps that cannot go back', async () => {
    const model = hashedModel();
    await expect(new ModelDrafter(model).open({ ...requestFor([1]), vocabSize: 11 })).rejects.toThrow(
      "ModelDrafter: `model.vocabSize` must be 11, as the target's, got 10",
    );
    for (const params of [{ stop: ['a'] }, { top_p: 2 }]) {
      expect(() => new ModelDrafter(model, params)).toThrow(InvalidValueError);
    }
    const chain = new ProcessorChain([{ name: 'forgetful', process: () => {}, accept: () => {} }]);
    await expect(new ModelDrafter(model, {}, { chain }).open(requestFor([1]))).rejects.toThrow(InvalidValueError);
  });

  it('gives no two requests one step with a state', async () => {
    const drafter = new ModelDrafter(hashedModel(), {}, { before: [new RunCounter()] });
    await drafter.open(requestFor([1]));
    await expect(drafter.open(requestFor([1]))).rejects.toThrow('run-counter');
    const stateless = new ModelDrafter(hashedModel());
    await stateless.open(requestFor([1]));
    await stateless.open(requestFor([1]));
  });
});
