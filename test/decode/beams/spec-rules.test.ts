/**
 * The spec's rules: greedy with one beam, exhaustive with many, and the op order in between.
 */
import { describe, expect, it } from 'vitest';
import { beamSearch, beamSteps } from '../../../src/decode/beams/beam-search.js';
import { loadEmbedded } from '../../../src/embedded/index.js';
import { AllowedTokens, generate, type SamplingParamsInput } from '../../../src/index.js';
import { log } from '../../../src/numerics/index.js';
import { tokenLogprobs } from '../../../src/spec.js';
import { PieceTokenizer } from '../../support/scripted-model.js';
import { everySequence } from './brute-force.js';
import { noiseAfter, noiseModel, saysProbabilities } from './worlds.js';

const PENALTIES: readonly SamplingParamsInput[] = [
  {},
  { repetition_penalty: 1.3 },
  { presence_penalty: 0.7, frequency_penalty: 0.4 },
];

describe('one beam', () => {
  it.each(PENALTIES)('equals greedy generation, ids and logprobs, bit for bit, with %o', async (penalties) => {
    const tokenizer = new PieceTokenizer(new Array(11).fill('x'));
    for (let seed = 0; seed < 40; seed++) {
      const model = noiseModel(11, [seed % 11], seed);
      const greedy = await generate(model, tokenizer, [1, 2], { ...penalties, temperature: 0, max_tokens: 12 });
      for (const rules of ['spec', 'hf'] as const) {
        const { sequences } = await beamSearch(model, [1, 2], { ...penalties, max_tokens: 12 }, { rules });
        const [best] = sequences;
        const ended = best?.finish_reason === 'stop';
        expect(ended ? best?.ids.slice(0, -1) : best?.ids).toEqual(greedy.ids);
        expect(best?.logprobs.slice(0, greedy.ids.length)).toEqual(greedy.logprobs);
        expect(best?.finish_reason).toBe(greedy.finish_reason);
      }
    }
  });

  it('equals greedy generation of the embedded model', async () => {
    const { model, tokenizer } = await loadEmbedded();
    for (const prompt of ['In the beginning', 'Blessed are']) {
      const greedy = await generate(model, tokenizer, prompt, { temperature: 0, max_tokens: 10 });
      const { sequences } = await beamSearch(model, prompt, { max_tokens: 10 }, { tokenizer });
      expect(sequences[0]?.text).toBe(greedy.text);
      expect(sequences[0]?.ids).toEqual(greedy.ids);
      expect(sequences[0]?.logprobs).toEqual(greedy.logprobs);
    }
  });
});

describe('as many beams as there are sequences', () => {
  it.each([0, 1, 2, -1])('equal brute force with length_penalty %d', async (length_penalty) => {
    for (let seed = 0; seed < 12; seed++) {
      const endIds = seed % 3 === 0 ? [] : [seed % 4];
      const world = { logitsAfter: noiseAfter(4, 2, seed), endIds, maxTokens: 3 };
      const all = everySequence({ ...world, power: (n) => [1 / n, 1, n, n * n][length_penalty + 1] as number }, [2]);
      const params = { num_beams: 64, num_return_sequences: 64, max_tokens: 3, length_penalty };
      const { sequences } = await beamSearch(noiseModel(4, endIds, seed, 2), [2], params);
      expect(sequences.map(({ ids, logprob, score }) => ({ ids, logprob, score }))).toEqual(all);
    }
  });
});

describe('the op order', () => {
  const probabilities = [0.5, 0.25, 0.25];

  it('ranks ties by the lower flat index, beam before id', async () => {
    const steps = [];
    const model = saysProbabilities(() => [0.25, 0.25, 0.25, 0.25], []);
    for await (const step of beamSteps(model, [0], { num_beams: 3, max_tokens: 3 })) steps.push(step);
    expect(steps[0]?.live.map(({ ids }) => ids)).toEqual([[0], [1], [2]]);
    expect(steps[1]?.live.map(({ ids }) => ids)).toEqual([
      [0, 0],
      [0, 1],
      [0, 2],
    ]);
  });

  it('grows from one row of four ids to three of five and three of six, each step the best three of the best nine', async () => {
    const prompt = [3, 1, 4, 1];
    const model = noiseModel(12, [], 5, 2);
    const shapes: [number, number][] = [[1, prompt.length]];
    let beams: readonly { ids: readonly number[]; logprob: number }[] = [{ ids: [], logprob: 0 }];
    for await (const { live, ended } of beamSteps(model, prompt, { num_beams: 3, max_tokens: 3 })) {
      const each = beams.flatMap(({ ids, logprob }) => {
        const row = tokenLogprobs(Float32Array.from(model.logitsAfter([...prompt, ...ids])), {});
        const sums = Array.from(row, (lp, id) => ({ ids: [...ids, id], logprob: logprob + lp }));
        return sums.sort((a, b) => b.logprob - a.logprob).slice(0, 3);
      });
      expect(each).toHaveLength(3 * beams.length);
      const best = each.sort((a, b) => b.logprob - a.logprob).slice(0, 3);
      const found = live.length > 0 ? live : ended.map(({ ids, logprob }) => ({ ids, logprob }));
      expect([...found].sort((a, b) => b.logprob - a.logprob)).toEqual(best);
      beams = best;
      shapes.push([found.length, prompt.length + (found[0]?.ids.length ?? 0)]);
    }
    expect(shapes).toEqual([
      [1, 4],
      [3, 5],
      [3, 6],
      [3, 7],
    ]);
  });

  it('starts with one beam, so that no two sequences are equal', async () => {
    const params = { num_beams: 3, num_return_sequences: 3, max_tokens: 4 };
    const { sequences } = await beamSearch(noiseModel(9, [], 5), [0], params);
    expect(new Set(sequences.map(({ ids }) => ids.join(' '))).size).toBe(3);
  });

  it('lets a beam that ended leave, and keeps one fewer from then on', async () => {
    const model = saysProbabilities(() => probabilities, [0]);
    const kept: number[][] = [];
    for await (const { live, ended } of beamSteps(model, [0], { num_beams: 3, max_tokens: 4 })) {
      kept.push([live.length, ended.length]);
    }
    expect(kept).toEqual([
      [2, 1],
      [0, 3],
    ]);
  });

  it('scores a sequence by its logprob over the power of its length, the end id counted', async () => {
    const model = saysProbabilities(() => probabilities, [0]);
    const params = { num_beams: 3, num_return_sequences: 3, max_tokens: 4, length_penalty: 2 };
    const { sequences } = await beamSearch(model, [0], params);
    for (const { ids, score, logprob, logprobs } of sequences) {
      expect(score).toBe(logprob / (ids.length * ids.length));
      expect(logprob).toBe(logprobs.reduce((sum, lp) => sum + lp, 0));
      expect(ids.at(-1)).toBe(0);
    }
    expect(sequences.map(({ ids }) => ids)).toEqual([[1, 0], [2, 0], [0]]);
  });

  it('takes what a mask forbids out of the logprobs, and leaves the others as they are', async () => {
    const model = saysProbabilities(() => probabilities, []);
    const before = [new AllowedTokens({ ids: [1, 2] })];
    const { sequences } = await beamSearch(model, [0], { num_beams: 2, max_tokens: 1 }, { before });
    expect(sequences[0]?.logprob).toBeCloseTo(-2 * log(2), 7); // the model says ln 1/4 in float32
  });

  it('has what a chain of its own makes of the logprobs', async () => {
    const model = saysProbabilities(() => probabilities, []);
    const params = { num_beams: 3, num_return_sequences: 3, max_tokens: 1 };
    const chain = [
      { use: 'temperature', temperature: 3 },
      { use: 'top-k', k: 2 },
    ];
    const { sequences } = await beamSearch(model, [0], params, { chain });
    expect(sequences.map(({ ids }) => ids[0])).toEqual([0, 1]);
    expect(sequences[1]?.logprob).toBeCloseTo((-2 * log(2)) / 3, 7);
  });
});
