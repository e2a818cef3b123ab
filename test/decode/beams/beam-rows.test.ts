/**
 * The logprobs behind a beam: what the chain sees and leaves, with steps that are off, have a state or decide late.
 */
import { describe, expect, it } from 'vitest';
import { Constrained, constraintFrom, type LogitsProcessor } from '../../../processors/index.js';
import type { BeamParamsInput } from '../../../src/decode/beams/beam-params.js';
import { BeamRows } from '../../../src/decode/beams/beam-rows.js';
import { beamSearch } from '../../../src/decode/beams/beam-search.js';
import { Hypothesis } from '../../../src/decode/beams/hypothesis.js';
import { BannedTokens, ProcessorChain } from '../../../src/index.js';
import { exactNumerics, log } from '../../../src/numerics/index.js';
import { ScriptedModel } from '../../support/scripted-model.js';
import { noiseModel, saysProbabilities } from './worlds.js';

const LOGITS = Float32Array.of(2, 1, 0, -1);
const BEAMS = { num_beams: 2, num_return_sequences: 2, max_tokens: 1 };

function rowsOf(steps: readonly LogitsProcessor[], form: 'logits' | 'logprobs' = 'logprobs'): BeamRows {
  const chain = new ProcessorChain(steps);
  return new BeamRows({ chain, form, prompt: [0], numerics: exactNumerics, diversityPenalty: 0 });
}

/** Keeps only `id`, after the logprobs are defined. */
function only(id: number): LogitsProcessor {
  return { name: 'only', stage: 'policy', process: (candidates) => candidates.keepIds((other) => other === id) };
}

/** After 1 comes 2, and the other way round. */
function alternating() {
  return new Constrained(constraintFrom((ids) => (ids.at(-1) === 1 ? [2] : [1]), []));
}

describe('a row of one beam', () => {
  it('has logprobs of the ids in K alone, where a step after them removes the likeliest', async () => {
    const model = saysProbabilities(() => [0.5, 0.3, 0.2], []);
    const chain = new ProcessorChain([only(1)]);
    const { sequences } = await beamSearch(model, [0], { max_tokens: 1 }, { chain });
    expect(sequences[0]?.ids).toEqual([1]);
    expect(sequences[0]?.logprob).toBeCloseTo(log(0.3), 6);
    const { logprobs } = rowsOf([only(1)], 'logits').row(Hypothesis.empty(), LOGITS);
    expect([...logprobs.keys()].filter((id) => logprobs[id] !== -Infinity)).toEqual([1]);
  });
});

describe('a row of a chain', () => {
  it('has what an active step makes of it, also beside one that is off', async () => {
    const model = saysProbabilities(() => [0.5, 0.3, 0.2], []);
    const off: LogitsProcessor = { name: 'off', active: false, process: () => expect.unreachable() };
    const { sequences } = await beamSearch(model, [0], BEAMS, { chain: new ProcessorChain([off, only(2)]) });
    expect(sequences.map(({ ids }) => ids)).toEqual([[2]]);
  });

  it('follows the state of a step, also beside one that has none', async () => {
    const before = [alternating(), new BannedTokens({ ids: [3] })];
    const params: BeamParamsInput = { num_beams: 2, max_tokens: 4 };
    const { sequences } = await beamSearch(noiseModel(4, [], 1), [0], params, { before });
    expect(sequences[0]?.ids).toEqual([1, 2, 1, 2]);
  });

  it('goes with a beam that was followed, and with no other', () => {
    const rows = rowsOf([alternating()]);
    const [root, lost] = [Hypothesis.empty(), Hypothesis.empty().extend(1, -1)];
    rows.row(root, LOGITS);
    expect(() => rows.row(lost, LOGITS)).toThrow('BeamRows: a live beam that was not followed');
    expect(() => rows.follow([root])).toThrow('BeamRows: a live beam that was not followed');
    rows.follow([lost]);
    expect(rows.row(lost, LOGITS).logprobs[1]).toBe(-Infinity);
  });

  it.each(['logits', 'logprobs'] as const)('is empty, and its beam exhausted, where nothing may come: %s', (form) => {
    const rows = rowsOf([new BannedTokens({ ids: [0, 1, 2, 3] })], form);
    const beam = Hypothesis.empty();
    expect(rows.row(beam, LOGITS).logprobs).toHaveLength(0);
    expect([...rows.exhausted]).toEqual([beam]);
    const others = rowsOf([new BannedTokens({ ids: [0, 1, 2] })]);
    others.row(beam, LOGITS);
    expect(others.exhausted.size).toBe(0);
  });
});

describe('a step that draws in beams', () => {
  it('is refused where it says so', async () => {
    expect(() => rowsOf([{ name: 'coin', draws: 2, process: () => {} }])).toRefuse(
      'beamSearch: `chain.draws` must be 0, got 2',
    );
  });

  it('is refused where it does not say so, when it draws', async () => {
    const coin: LogitsProcessor = { name: 'coin', process: (_, { uniform }) => void uniform() };
    const search = beamSearch(noiseModel(6, [0], 1), [1], { num_beams: 2 }, { before: [coin] });
    await expect(search).rejects.toThrow('beamSearch (step 1 of 1): `chain.draws` must be 0');
    for (const form of ['logits', 'logprobs'] as const) {
      expect(() => rowsOf([coin], form).row(Hypothesis.empty(), LOGITS)).toRefuse(
        'beamSearch (step 1 of 1): `chain.draws` must be 0, got "a step that draws"',
      );
    }
  });
});

describe('logits that are none', () => {
  it.each([1, 2])('are refused in the name of the search, with %i beams', async (num_beams) => {
    const model = new ScriptedModel(2, 9, [], () => [0, Number.NaN]);
    await expect(beamSearch(model, [0], { num_beams })).rejects.toThrow('beamSearch: `logits[1]` must be');
    const form = num_beams === 1 ? 'logits' : 'logprobs';
    expect(() => rowsOf([], form).row(Hypothesis.empty(), Float32Array.of(0, Number.NaN))).toThrow(
      'beamSearch: `logits[1]` must be',
    );
  });
});
