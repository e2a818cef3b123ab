import { describe, expect, it } from 'vitest';
import { type BeamParamsInput, validateBeamParams } from '../../../src/decode/beams/beam-params.js';
import { beamSearch, beamSteps } from '../../../src/decode/beams/beam-search.js';
import type { BeamSearchOptions } from '../../../src/decode/beams/prepare-search.js';
import { InvalidValueError } from '../../../src/index.js';
import { noiseModel } from './worlds.js';

const NAMES =
  'num_beams, num_return_sequences, max_tokens, min_tokens, length_penalty, early_stopping, no_repeat_ngram_size, ' +
  'repetition_penalty, presence_penalty, frequency_penalty, num_beam_groups, diversity_penalty, do_sample, ' +
  'temperature, top_k, top_p, min_p, seed, eos_token_id, stop_token_ids, stop, logit_bias';

describe('the parameters of a beam search', () => {
  it('have defaults, are complete and frozen', () => {
    const params = validateBeamParams();
    expect(params).toMatchObject({ num_beams: 1, length_penalty: 1, early_stopping: false, max_tokens: 128 });
    expect(Object.isFrozen(params)).toBe(true);
  });

  it.each([
    [{ num_beams: 0 }, '`num_beams` must be an integer >= 1, got 0'],
    [{ num_beams: 1.5 }, '`num_beams` must be an integer >= 1, got 1.5'],
    [{ num_return_sequences: 0 }, '`num_return_sequences` must be an integer >= 1, got 0'],
    [{ max_tokens: 0 }, '`max_tokens` must be an integer >= 1, got 0'],
    [{ min_tokens: -1 }, '`min_tokens` must be an integer >= 0, got -1'],
    [{ length_penalty: Number.NaN }, '`length_penalty` must be a finite number, got NaN'],
    [{ early_stopping: 'always' }, '`early_stopping` must be true, false or "never", got "always"'],
    [{ no_repeat_ngram_size: -1 }, '`no_repeat_ngram_size` must be an integer >= 0, got -1'],
    [{ num_beam_groups: 0 }, '`num_beam_groups` must be an integer >= 1, got 0'],
    [{ diversity_penalty: -1 }, '`diversity_penalty` must be a finite number >= 0, got -1'],
    [{ do_sample: 1 }, '`do_sample` must be true or false, got 1'],
    [{ temperature: 0 }, '`temperature` must be a finite number > 0, got 0'],
    [{ seed: -1 }, '`seed` must be an integer in [0, 2^53) or a bigint in [0, 2^64), got -1'],
    [{ eos_token_id: [-1] }, '`eos_token_id[0]` must be an integer >= 0, got -1'],
    [{ eos_token_id: 'end' }, '`eos_token_id` must be an integer >= 0 or an array of them, got "end"'],
    [{ beams: 3 }, `\`beams\` must be absent (the parameters are: ${NAMES}), got 3`],
  ])('refuse %o', (params, message) => {
    expect(() => validateBeamParams(params as BeamParamsInput)).toRefuse(`BeamParams: ${message}`);
  });
});

describe('a beam search', () => {
  const model = noiseModel(6, [0], 1);
  const hf = { rules: 'hf' } as const;

  it.each<[BeamParamsInput, BeamSearchOptions, string]>([
    [
      { num_beams: 2, num_return_sequences: 3 },
      {},
      'BeamParams: `num_return_sequences` must be an integer in [1, 2], at most num_beams, got 3',
    ],
    [
      { num_beams: 2, early_stopping: true },
      {},
      'BeamParams: `early_stopping` must be false (the rules `hf` know others), got true',
    ],
    [{ early_stopping: 'never' }, hf, 'BeamParams: `early_stopping` must be false where num_beams is 1, got "never"'],
    [
      { num_beams: 4, num_beam_groups: 2 },
      {},
      'BeamParams: `num_beam_groups` must be 1 (the rules `hf` know groups), got 2',
    ],
    [{ num_beams: 4, do_sample: true }, {}, 'BeamParams: `do_sample` must be false (the rules `hf` draw), got true'],
    [
      { num_beams: 4, num_beam_groups: 3 },
      hf,
      'BeamParams: `num_beam_groups` must be a divisor of num_beams, 4, got 3',
    ],
    [
      { num_beams: 4, num_beam_groups: 2 },
      hf,
      'BeamParams: `diversity_penalty` must be a finite number > 0 where there are groups: they would be equal, got 0',
    ],
    [
      { num_beams: 4, diversity_penalty: 1 },
      hf,
      'BeamParams: `diversity_penalty` must be 0 where there is one group, got 1',
    ],
    [
      { num_beams: 4, num_beam_groups: 2, diversity_penalty: 1, do_sample: true },
      hf,
      'BeamParams: `do_sample` must be false where there are groups, got true',
    ],
    [
      { do_sample: true },
      hf,
      'BeamParams: `num_beams` must be an integer >= 2 where continuations are drawn (`generate` draws for one), got 1',
    ],
    [{ num_beams: 2, top_p: 0.9 }, hf, 'BeamParams: `top_p` must be 1 where do_sample is false, got 0.9'],
    [{ num_beams: 2, top_k: 5 }, hf, 'BeamParams: `top_k` must be 0 where do_sample is false, got 5'],
    [{ top_k: 3 }, { chain: [] }, 'BeamParams: `top_k` must be 0 where do_sample is false, got 3'],
    [
      { repetition_penalty: 2 },
      { chain: [] },
      'beamSearch: `repetition_penalty` must be a step of the chain given, got 2',
    ],
    [{ min_tokens: 3 }, { chain: [] }, 'beamSearch: `min_tokens` must be a step of the chain given, got 3'],
    [{}, { chain: [], before: [] }, 'beamSearch: `before` must be part of the chain given, got []'],
    [{}, { rules: 'vllm' as 'hf' }, 'beamSearch: `rules` must be `spec` or `hf`, got "vllm"'],
    [{ eos_token_id: [0, 6] }, {}, 'beamSearch: `eos_token_id` must be made of integers in [0, 6), got 6'],
    [{ eos_token_id: 6 }, {}, 'beamSearch: `eos_token_id` must be made of integers in [0, 6), got 6'],
  ])('refuses %o with %o, by either way and before the model is asked', async (params, options, message) => {
    expect(() => beamSteps(model, [1], params, options)).toRefuse(message);
    await expect(beamSearch(model, [1], params, options)).rejects.toThrow(InvalidValueError);
    expect(model.opened).toBe(0);
  });

  it('refuses a prompt that is empty, too long, outside the vocabulary, or text without a tokenizer', async () => {
    await expect(beamSearch(model, [])).rejects.toThrow('`prompt` must be not empty');
    await expect(beamSearch(model, new Array(64).fill(1))).rejects.toThrow('`prompt` must be at most 63 ids, got 64');
    await expect(beamSearch(model, [6])).rejects.toThrow('`prompt[0]` must be an integer in [0, 6), got 6');
    await expect(beamSearch(model, 'text')).rejects.toThrow('`tokenizer` must be given where the prompt is a text');
    expect(model.opened).toBe(0);
  });

  it('refuses processors that draw, and ones whose state cannot be kept for each beam', async () => {
    const draws = { name: 'noise', draws: 1, process() {} };
    const forgets = { name: 'forgets', process() {}, accept() {} };
    await expect(beamSearch(model, [1], {}, { before: [draws] })).rejects.toThrow('`chain.draws` must be 0, got 1');
    await expect(beamSearch(model, [1], {}, { before: [forgets] })).rejects.toThrow('able to save and restore');
  });

  it('takes one end id as Hugging Face does, in place of the model’s', async () => {
    const ends = noiseModel(3, [0], 2);
    const { sequences } = await beamSearch(ends, [1], { num_beams: 9, num_return_sequences: 9, eos_token_id: 2 });
    for (const { ids } of sequences) expect(ids.slice(0, -1)).not.toContain(2);
    expect(sequences.some(({ ids }) => ids.includes(0))).toBe(true);
  });
});
