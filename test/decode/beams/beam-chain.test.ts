/**
 * Which steps a search's parameters make, and how many tokens it has room for.
 */
import { describe, expect, it } from 'vitest';
import { createContainer, PARTS } from '../../../src/container/index.js';
import { beamChain } from '../../../src/decode/beams/beam-chain.js';
import { type BeamParamsInput, validateBeamParams } from '../../../src/decode/beams/beam-params.js';
import { beamSearch, beamSteps } from '../../../src/decode/beams/beam-search.js';
import { ScriptedModel } from '../../support/scripted-model.js';
import { noiseAfter } from './worlds.js';

const make = createContainer().get(PARTS.makeProcessor);
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

  it('is said of a sequence that used it up', async () => {
    const model = new ScriptedModel(3, 4, [0], () => Float32Array.of(0, 1, 0), 2);
    const { sequences } = await beamSearch(model, [1, 1], { max_tokens: 9 });
    expect(sequences[0]).toMatchObject({ ids: [1], finish_reason: 'length', length_by: 'context' });
  });

  it('is at least one token', () => {
    const start = (prompt: number[], beginId?: number) => () =>
      beamSteps(new ScriptedModel(9, 3, [], noiseAfter(9, 3, 1), beginId), prompt);
    expect(start([1, 2, 3])).toRefuse('beamSearch: `prompt` must be at most 2 ids, got 3');
    expect(start([1, 2], 0)).toRefuse('beamSearch: `prompt` must be at most 1 ids, got 2');
  });
});
