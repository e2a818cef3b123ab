/** D13: what ends a text or biases it in `generate` does so for each beam. */
import { describe, expect, it } from 'vitest';
import { type BeamParamsInput, beamSearch, beamSteps, generate } from '../../../src/index.js';
import { PieceTokenizer } from '../../support/scripted-model.js';
import { noiseModel, saysProbabilities } from './worlds.js';

const letters = new PieceTokenizer(['a', 'b', 'c', 'd', 'e', '']);
const END = 5;
const RULES = ['spec', 'hf'] as const;

describe('one beam', () => {
  it.each<[string, object]>([
    ['stop strings', { stop: ['ab', 'd', 'ec'] }],
    ['a stop string across tokens', { stop: ['bca', 'cde', 'aa', 'bb', 'cc', 'dd', 'ee'] }],
    ['stop ids', { stop_token_ids: [1, 3] }],
    ['a bias', { logit_bias: { 0: 2, 2: -100 } }],
    ['all of them', { stop: ['ae'], stop_token_ids: [3], logit_bias: { 1: 1.5 }, min_tokens: 2 }],
  ])('with %s gives what greedy generation gives', async (_, more) => {
    const reasons = new Set<unknown>();
    for (let seed = 0; seed < 30; seed++) {
      const model = noiseModel(6, [END], seed, 2);
      const params = { max_tokens: 8, ...more };
      const alone = await generate(model, letters, [0], { ...params, temperature: 0 });
      const [found] = (await beamSearch(model, [0], params, { tokenizer: letters })).sequences;
      const { text, finish_reason, stopped_by } = alone;
      expect(found).toMatchObject({ text, finish_reason });
      expect(found?.stopped_by).toBe(stopped_by);
      expect(found?.ids).toEqual(typeof stopped_by === 'number' ? [...alone.ids, stopped_by] : alone.ids);
      reasons.add(stopped_by);
    }
    expect(reasons.size).toBeGreaterThan(1);
  });
});

describe('several beams', () => {
  /** After "a" (id 0): b 0.6, c 0.4; after b: c; after c: d 0.9; all else flat. */
  const model = saysProbabilities(
    (ids) => {
      const last = ids.at(-1);
      if (last === undefined) return [0, 0.6, 0.4, 0, 0, 0];
      if (last === 1) return [0.1, 0, 0.9, 0, 0, 0];
      if (last === 2) return [0.1, 0, 0, 0.9, 0, 0];
      return [0.2, 0.2, 0.2, 0.2, 0.2, 0];
    },
    [END],
  );
  const params = { num_beams: 2, num_return_sequences: 2, max_tokens: 4, length_penalty: 0 } as const;
  const search = (more: BeamParamsInput, rules: 'spec' | 'hf' = 'spec') =>
    beamSearch(model, [0], { ...params, ...more }, { tokenizer: letters, rules });

  it.each(RULES)('by the rules %s end each at its own stop string, whose text is cut before it', async (rules) => {
    const { sequences } = await search({ stop: ['bc', 'd'] }, rules);
    expect(sequences.map(({ ids, text, finish_reason, stopped_by }) => [ids, text, finish_reason, stopped_by])).toEqual(
      [
        [[1, 2], '', 'stop', 'bc'],
        [[2, 3], 'c', 'stop', 'd'],
      ],
    );
    expect(sequences[0]?.logprobs).toHaveLength(2);
  });

  it.each(RULES)('by the rules %s end at a stop id, as at an end id', async (rules) => {
    const stopped = await search({ stop_token_ids: [2, 3] }, rules);
    const ended = await search({ eos_token_id: [END, 2, 3] }, rules);
    expect(stopped).toEqual(ended);
    expect(stopped.sequences[0]).toMatchObject({ ids: [1, 2], text: 'b', stopped_by: 2, finish_reason: 'stop' });
    expect(await search({ stop_token_ids: [END] }, rules)).toEqual(await search({}, rules));
  });

  it('count a stop id for how many continuations a step takes, and for min_tokens', async () => {
    const stopped = await search({ stop_token_ids: [2], min_tokens: 2 }, 'hf');
    for (const { ids } of stopped.sequences) expect(ids.slice(0, 2)).not.toContain(2);
    expect(stopped).toEqual(await search({ eos_token_id: [END, 2], min_tokens: 2 }, 'hf'));
  });

  it('in groups end at stop strings too', async () => {
    const groups = { num_beams: 2, num_beam_groups: 2, diversity_penalty: 5, stop: ['bc', 'cd'] };
    const { sequences } = await search(groups, 'hf');
    expect(sequences.map(({ stopped_by }) => stopped_by).sort()).toEqual(['bc', 'cd']);
  });

  it('have the bias in their logprobs, which are not renormalized', async () => {
    const plain = await search({ max_tokens: 1 });
    const biased = await search({ max_tokens: 1, logit_bias: { 2: 1 } });
    const logprobOf = (found: typeof plain, id: number) =>
      found.sequences.find(({ ids }) => ids[0] === id)?.logprob as number;
    expect(biased.sequences.map(({ ids }) => ids)).toEqual([[2], [1]]);
    expect(logprobOf(biased, 2) - logprobOf(plain, 2)).toBeCloseTo(1, 6);
    expect(logprobOf(biased, 1)).toBe(logprobOf(plain, 1));
    expect(await search({ max_tokens: 1, logit_bias: new Map([[2, 1]]) })).toEqual(biased);
  });

  it('show what ended at a stop string on the way', async () => {
    const steps = beamSteps(model, [0], { ...params, stop: ['bc'] }, { tokenizer: letters });
    await steps.next();
    const { value } = await steps.next();
    expect(value).toMatchObject({ ended: [{ ids: [1, 2], stopped_by: 'bc', text: '' }] });
    await steps.return(undefined as never);
  });

  it('find a stop string of half characters at their end, as generation does', async () => {
    const bytes = [[97], [0xf0, 0x9f], [98], [99], [100], []];
    const tokenizer = {
      encode: () => [0],
      tokenBytes: (id: number) => Uint8Array.from(bytes[id] as number[]),
      vocabSize: 6,
    };
    const cut = saysProbabilities((ids) => (ids.length === 0 ? [0, 1, 0, 0, 0, 0] : [0, 0, 0, 0, 0, 1]), [END]);
    const alone = await generate(cut, tokenizer as never, [0], { temperature: 0, stop: ['\ufffd'], max_tokens: 5 });
    const { sequences } = await beamSearch(
      cut,
      [0],
      { stop: ['\ufffd'], max_tokens: 5 },
      { tokenizer: tokenizer as never },
    );
    expect(alone).toMatchObject({ text: '', stopped_by: '\ufffd' });
    expect(sequences[0]).toMatchObject({ text: '', stopped_by: '\ufffd', finish_reason: 'stop' });
  });
});

describe('what would have no effect', () => {
  const model = noiseModel(6, [END], 1);
  it.each<[BeamParamsInput, object, string]>([
    [{ stop: ['a'] }, {}, 'beamSearch: `tokenizer` must be given where there are stop strings, got undefined'],
    [{ stop: [''] }, { tokenizer: letters }, 'BeamParams: `stop[0]` must be a non-empty string, got ""'],
    [{ stop_token_ids: [1, 6] }, {}, 'beamSearch: `stop_token_ids[1]` must be an integer in [0, 6), got 6'],
    [{ logit_bias: { 6: 1 } }, {}, 'beamSearch: `logit_bias.6` must be absent (the ids are those in [0, 6)), got 1'],
    [
      { logit_bias: { 1: 1 } },
      { chain: [] },
      'beamSearch: `logit_bias` must be a step of the chain given, got { 1: 1 }',
    ],
    [{ seed: 7 }, {}, 'BeamParams: `seed` must be absent where do_sample is false, got 7'],
    [{ seed: 0, num_beams: 2 }, { rules: 'hf' }, 'BeamParams: `seed` must be absent where do_sample is false, got 0'],
  ])('is refused: %o with %o', (params, options, message) => {
    expect(() => beamSteps(model, [1], params, options)).toRefuse(message);
    expect(model.opened).toBe(0);
  });
});
