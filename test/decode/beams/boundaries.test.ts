/** On and beside the boundaries of beams, and their refusals in so many words. */
import { describe, expect, it } from 'vitest';
import { type BeamRow, bestContinuations } from '../../../src/decode/beams/continuations.js';
import { drawWith } from '../../../src/decode/beams/draw-continuations.js';
import { HfGroup } from '../../../src/decode/beams/hf-group.js';
import { HfRules, type HfSettings } from '../../../src/decode/beams/hf-rules.js';
import { Hypothesis } from '../../../src/decode/beams/hypothesis.js';
import { type BeamParamsInput, beamSearch, beamSteps, exactNumerics, log } from '../../../src/index.js';
import { ScriptedModel } from '../scripted-model.js';
import { noiseModel } from './worlds.js';

const model = noiseModel(6, [0], 1);

describe('beamSearch', () => {
  it.each<[BeamParamsInput, object, string]>([
    [{}, { rules: 'vllm' }, 'beamSearch: `rules` must be `spec` or `hf`, got "vllm"'],
    [{ top_k: 3 }, { chain: [] }, 'BeamParams: `top_k` must be 0 where do_sample is false, got 3'],
    [{ min_tokens: 3 }, { chain: [] }, 'beamSearch: `min_tokens` must be a step of the chain given, got 3'],
    [{}, { chain: [], before: [] }, 'beamSearch: `before` must be part of the chain given, got []'],
    [{ eos_token_id: [0, 6] }, {}, 'beamSearch: `eos_token_id` must be made of integers in [0, 6), got 6'],
  ])('refuses %o with %o in so many words', (params, options, message) => {
    expect(() => beamSteps(model, [1], params, options)).toRefuse(message);
  });

  it('takes a prompt that leaves room for one id, and not one more; the begin token counts', async () => {
    const begun = new ScriptedModel(3, 4, [0], () => Float32Array.of(0, 1, 0), 2);
    const { sequences } = await beamSearch(begun, [1, 1], { max_tokens: 9 });
    expect(sequences[0]).toMatchObject({ ids: [1], finish_reason: 'length', length_by: 'context' });
    expect(() => beamSteps(begun, [1, 1, 1])).toRefuse('beamSearch: `prompt` must be at most 2 ids, got 3');
    expect((await beamSearch(begun, [])).sequences[0]?.ids).toEqual([1, 1, 1]);
  });

  it('refuses logits that are none in its own name, with one beam and with several', async () => {
    const broken = new ScriptedModel(3, 9, [0], () => Float32Array.of(0, Number.NaN, 0));
    for (const num_beams of [1, 2]) {
      await expect(beamSearch(broken, [1], { num_beams })).rejects.toThrow('beamSearch: `logits[1]` must be');
    }
  });

  it('closes with the chain as it came where a step draws though it declared nothing', async () => {
    const step = { name: 'sly', process: (_: unknown, context: { uniform(): number }) => void context.uniform() };
    await expect(beamSearch(model, [1], { num_beams: 2 }, { before: [step] })).rejects.toThrow(
      'beamSearch (step 1 of 1): `chain.draws` must be 0, got "a step that draws"',
    );
  });
});

describe('the best continuations', () => {
  const root = Hypothesis.empty();
  const row = (...logprobs: number[]): BeamRow => ({ beam: root, logprobs: Float64Array.from(logprobs) });

  it('of equal ones are the first, also where there is no room for all', () => {
    expect(bestContinuations([row(-1, -1, -1)], 2).map(({ id }) => id)).toEqual([0, 1]);
    expect(bestContinuations([row(-2, -1, -1, -2)], 3).map(({ id }) => id)).toEqual([1, 2, 0]);
  });

  it('leave out what is masked', () => {
    expect(bestContinuations([row(-Infinity, -3, -2)], 9).map(({ id }) => id)).toEqual([2, 1]);
  });

  it('drawn: a masked one has no weight, and u exactly on a boundary is the next', () => {
    const draw = (u: number) => drawWith({ uniform: () => u }, exactNumerics)([row(-Infinity, log(0.5), log(0.5))], 1);
    expect([0, 0.5 - 2 ** -54, 0.5, 1 - 2 ** -53].map((u) => draw(u)[0]?.id)).toEqual([1, 1, 2, 2]);
  });
});

describe('a step by Hugging Face`s rules', () => {
  const asked: number[] = [];
  const settings = (endIds: number[]): HfSettings => ({
    ...{ numBeams: 2, maxTokens: 9, endIds, earlyStopping: true, lengthPenalty: 0, scoreOf: (logprob) => logprob },
    endOf: ({ id }) => (endIds.includes(id) ? id : undefined),
    choose: (rows, count) => {
      asked.push(count);
      return bestContinuations(rows, count);
    },
  });
  const rowOf = (beam: Hypothesis) => ({ beam, logprobs: Float64Array.of(-1, -2, -3, -4, -5, -6, -7) });

  it.each([
    { endIds: [], count: 4 },
    { endIds: [0], count: 4 },
    { endIds: [0, 1], count: 6 },
    { endIds: [0, 1, 2], count: 8 },
  ])('takes $count continuations for two beams and the end ids $endIds', ({ endIds, count }) => {
    for (const rules of [new HfRules(settings(endIds)), new HfGroup(settings(endIds), Hypothesis.empty())]) {
      asked.length = 0;
      rules.advance(rowOf);
      expect(asked).toEqual([count]);
      expect(rules.ended).toHaveLength(Math.min(2, endIds.length));
      const isOver = endIds.length >= 2;
      const first = endIds.length;
      expect(rules.live.map(({ id }) => id)).toEqual(isOver ? [] : [first, first + 1]);
    }
  });

  it('ends no continuation behind the first two', () => {
    for (const rules of [new HfRules(settings([2])), new HfGroup(settings([2]), Hypothesis.empty())]) {
      rules.advance(rowOf);
      expect([rules.ended.length, rules.live.map(({ id }) => id)]).toEqual([0, [0, 1]]);
    }
  });
});
