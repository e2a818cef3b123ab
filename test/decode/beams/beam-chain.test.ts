/**
 * Which steps a search's parameters make, how many tokens it has room for, and what it says of what does not fit.
 */
import { describe, expect, it } from 'vitest';
import { beamChain } from '../../../src/decode/beams/beam-chain.js';
import { type BeamParamsInput, validateBeamParams } from '../../../src/decode/beams/beam-params.js';
import { beamSearch, beamSteps } from '../../../src/decode/beams/beam-search.js';
import { createContainer, TOKENS } from '../../../src/index.js';
import { ScriptedModel } from '../scripted-model.js';
import { noiseAfter, noiseModel } from './worlds.js';

const make = createContainer().get(TOKENS.makeProcessor);
const stepsOf = (params: BeamParamsInput, endIds: readonly number[] = []) =>
  beamChain(validateBeamParams(params), endIds, {}, make).steps.map(({ name }) => name);

describe('the chain of a search', () => {
  it('has no step for a parameter that is off', () => {
    expect(stepsOf({})).toEqual([]);
    expect(stepsOf({}, [0])).toEqual([]);
    expect(stepsOf({ min_tokens: 2 }, [0])).toEqual(['min-tokens']);
    expect(stepsOf({ do_sample: true, min_p: 0.1 })).toEqual(['min-p']);
    expect(stepsOf({ do_sample: true, top_p: 0.5, top_k: 4 })).toEqual(['top-k', 'top-p']);
  });

  it('has the others in the order of the docs', () => {
    const all = {
      ...{ min_p: 0.1, top_p: 0.5, top_k: 4, temperature: 2, do_sample: true, min_tokens: 2, logit_bias: { 1: 1 } },
      ...{ no_repeat_ngram_size: 3, frequency_penalty: 1, repetition_penalty: 2 },
    };
    expect(stepsOf(all, [0])).toEqual([
      'logit-bias',
      'repetition-penalty',
      'presence-frequency',
      'no-repeat-ngram',
      'min-tokens',
      'temperature',
      'top-k',
      'top-p',
      'min-p',
    ]);
  });
});

describe('the room of a search', () => {
  const lengthOf = async (contextLength: number, prompt: number[], beginId?: number) => {
    const model = new ScriptedModel(9, contextLength, [], noiseAfter(9, 3, 1), beginId);
    return (await beamSearch(model, prompt, { num_beams: 2 })).sequences[0]?.ids.length;
  };

  it('is what the context has beside the prompt and the begin token', async () => {
    expect(await lengthOf(5, [1, 2])).toBe(3);
    expect(await lengthOf(5, [1, 2], 0)).toBe(2);
    expect(await lengthOf(3, [1, 2])).toBe(1);
    expect(await lengthOf(2, [], 0)).toBe(1);
  });

  it('is at least one token', () => {
    const start = (prompt: number[], beginId?: number) => () =>
      beamSteps(new ScriptedModel(9, 3, [], noiseAfter(9, 3, 1), beginId), prompt);
    expect(start([1, 2, 3])).toRefuse('beamSearch: `prompt` must be at most 2 ids, got 3');
    expect(start([1, 2], 0)).toRefuse('beamSearch: `prompt` must be at most 1 ids, got 2');
  });
});

describe('a refusal of a search', () => {
  const start =
    (params: object, options: object = {}) =>
    () =>
      beamSteps(noiseModel(6, [0], 1), [1], params, options);

  it('names the search, the parameters or the chain', () => {
    expect(start({ num_beams: 0 })).toRefuse('BeamParams: `num_beams` must be an integer >= 1, got 0');
    expect(start({ num_beams: 2, top_k: 5 })).toRefuse('BeamParams: `top_k` must be 0 where do_sample is false, got 5');
    expect(start({}, { rules: 'vllm' })).toRefuse('beamSearch: `rules` must be `spec` or `hf`, got "vllm"');
    expect(start({}, { chain: [], before: [] })).toRefuse(
      'beamSearch: `before` must be part of the chain given, got []',
    );
    expect(start({ repetition_penalty: 2 }, { chain: [] })).toRefuse(
      'beamSearch: `repetition_penalty` must be a step of the chain given, got 2',
    );
  });
});
