import { describe, expect, it } from 'vitest';
import type { BeamStep } from '../../../src/decode/beams/beam-result.js';
import { beamSearch, beamSteps } from '../../../src/decode/beams/beam-search.js';
import { bestContinuations } from '../../../src/decode/beams/continuations.js';
import { drawWith } from '../../../src/decode/beams/draw-continuations.js';
import { Hypothesis } from '../../../src/decode/beams/hypothesis.js';
import { exactNumerics, log } from '../../../src/numerics/index.js';
import { noiseModel } from './worlds.js';

const root = Hypothesis.empty();

function scripted(...values: number[]) {
  const left = [...values];
  return { left, uniform: () => left.shift() as number };
}

function row(beam: Hypothesis, ...probabilities: number[]) {
  return { beam, logprobs: Float64Array.from(probabilities, (p) => log(p)) };
}

describe('the best continuations', () => {
  const best = (count: number, ...logprobs: number[]) =>
    bestContinuations([{ beam: root, logprobs: Float64Array.from(logprobs) }], count).map(({ id }) => id);

  it('of equal ones are the first, also where there is no room for all', () => {
    expect(best(2, -1, -1, -1)).toEqual([0, 1]);
    expect(best(3, -2, -1, -1, -2)).toEqual([1, 2, 0]);
  });

  it('leave out what is masked', () => {
    expect(best(9, -Infinity, -3, -2)).toEqual([2, 1]);
  });
});

describe('drawn continuations', () => {
  it('take one uniform a pick, walk in flat order, and leave out what was picked', () => {
    const uniforms = scripted(0.55, 0.5, 0.1, 0.9);
    const picks = drawWith(uniforms, exactNumerics)([row(root, 0.5, 0.1, 0.2, 0.2)], 3);
    // 0.55: past 0.5, within 0.6, so id 1; of 0.5, 0.2, 0.2 (/ 0.9) 0.5 is id 0; of 0.2, 0.2 (/ 0.4) 0.1 is id 2
    expect(picks.map(({ id }) => id)).toEqual([0, 2, 1]);
    expect(uniforms.left).toEqual([0.9]);
  });

  it('weigh beams by their scores', () => {
    const [likely, unlikely] = [root.extend(0, log(0.75)), root.extend(1, log(0.25))];
    const rows = [row(likely, 0.5, 0.5), row(unlikely, 0.5, 0.5)];
    const drawn = (u: number) => drawWith(scripted(u), exactNumerics)(rows, 1)[0]?.ids;
    expect([0.37, 0.38, 0.74, 0.76, 0.88].map(drawn)).toEqual([
      [0, 0],
      [0, 1],
      [0, 1],
      [1, 0],
      [1, 1],
    ]);
  });

  it('are as many as have a weight, and take no uniform for the others', () => {
    const uniforms = scripted(0.5, 0.5, 0.5);
    const picks = drawWith(uniforms, exactNumerics)([row(root, 0, 0.5, 0, 0.5)], 4);
    expect(picks.map(({ id }) => id)).toEqual([1, 3]);
    expect(uniforms.left).toEqual([0.5]);
  });

  it('are all of them where all are asked for, in the order of the best', () => {
    const rows = [row(root, 0.1, 0.4, 0.2, 0.3)];
    const picks = drawWith(scripted(0.9, 0.1, 0.2, 0.7), exactNumerics)(rows, 4);
    expect(picks.map(({ id }) => id)).toEqual(bestContinuations(rows, 4).map(({ id }) => id));
  });

  it('come first as often as their probability, and second as without replacement', () => {
    const probabilities = [0.5, 0.3, 0.2];
    const n = 150;
    const counts = new Map<string, number>();
    for (let a = 0; a < n; a++) {
      for (let b = 0; b < n; b++) {
        const order: number[] = [];
        const rows = [row(root, ...probabilities)];
        for (const pick of drawWith(scripted((a + 0.5) / n, (b + 0.5) / n), exactNumerics)(rows, 2))
          order.push(pick.id);
        const pair = order.sort().join('');
        counts.set(pair, (counts.get(pair) ?? 0) + 1);
      }
    }
    const pairOf = (i: number, j: number) => {
      const [p, q] = [probabilities[i] as number, probabilities[j] as number];
      return (p * q) / (1 - p) + (q * p) / (1 - q);
    };
    expect((counts.get('01') as number) / n ** 2).toBeCloseTo(pairOf(0, 1), 2);
    expect((counts.get('02') as number) / n ** 2).toBeCloseTo(pairOf(0, 2), 2);
    expect((counts.get('12') as number) / n ** 2).toBeCloseTo(pairOf(1, 2), 2);
  });
});

describe('a draw on a boundary', () => {
  const drawn = (u: number, ...probabilities: number[]) =>
    drawWith(scripted(u), exactNumerics)([row(root, ...probabilities)], 1).map(({ id }) => id);

  it('is of the first id whose sum is above the uniform, not equal to it', () => {
    expect(drawn(0.5, 1, 1)).toEqual([1]);
    expect(drawn(0.5 - 2 ** -54, 1, 1)).toEqual([0]);
    expect(drawn(0, 1, 1)).toEqual([0]);
  });

  it('is of the last id that has a weight, where rounding leaves the sum at the uniform', () => {
    const ten = new Array<number>(10).fill(1); // ten times 0.1 is 1 - 2^-53
    expect(drawn(1 - 2 ** -53, ...ten)).toEqual([9]);
    const light = { beam: root, logprobs: Float64Array.from([...ten, 1], (_, id) => (id === 10 ? -800 : 0)) };
    const picks = drawWith(scripted(1 - 2 ** -53), exactNumerics)([light], 1);
    expect(picks.map(({ id }) => id)).toEqual([9]); // exp(-800) is 0
  });

  it('takes nothing where nothing is allowed', () => {
    const uniforms = scripted(0.5);
    expect(drawWith(uniforms, exactNumerics)([row(root, 0, 0)], 2)).toEqual([]);
    expect(drawWith(uniforms, exactNumerics)([], 2)).toEqual([]);
    expect(uniforms.left).toEqual([0.5]);
  });
});

describe('beam sampling', () => {
  const params = { num_beams: 3, num_return_sequences: 3, max_tokens: 6, do_sample: true } as const;
  const search = (more: object) => beamSearch(noiseModel(20, [0], 3, 1), [1], { ...params, ...more }, { rules: 'hf' });

  it('gives the same for a seed, other sequences for others, and reports a seed that it chose', async () => {
    expect(await search({ seed: 7 })).toEqual(await search({ seed: 7 }));
    const texts = await Promise.all(
      [1, 2, 3, 4].map(async (seed) => JSON.stringify((await search({ seed })).sequences)),
    );
    expect(new Set(texts).size).toBe(4);
    const chosen = await search({});
    expect(await search({ seed: chosen.seed })).toEqual(chosen);
  });

  it('comes near the ranked search at a low temperature', async () => {
    const ranked = await beamSearch(noiseModel(20, [0], 3, 1), [1], { ...params, do_sample: false }, { rules: 'hf' });
    const drawn = await search({ seed: 1, temperature: 0.001 });
    expect(drawn.sequences[0]?.ids).toEqual(ranked.sequences[0]?.ids);
  });

  it.each([
    [{ top_k: 1 }, 2],
    [{ top_k: 5 }, 5],
    [{ top_p: 0.01 }, 2],
    [{ min_p: 1 }, 2],
  ])('draws only what %o keeps, but one id more than there are end ids', async (filter, kept) => {
    const steps = beamSteps(noiseModel(20, [0], 3, 1), [1], { ...params, ...filter, seed: 3 }, { rules: 'hf' });
    const [first] = [(await steps.next()).value as BeamStep];
    await steps.return({ sequences: [], steps: 0 });
    const ranked = (await everyFirst()).slice(0, kept);
    for (const { ids } of [...first.live, ...first.ended]) expect(ranked).toContain(ids[0]);
    expect(first.live.length).toBe(Math.min(3, kept));
  });

  /** The ids behind the prompt, likeliest first. */
  async function everyFirst(): Promise<(number | undefined)[]> {
    const all = { num_beams: 20, num_return_sequences: 20, max_tokens: 1 };
    return (await beamSearch(noiseModel(20, [0], 3, 1), [1], all)).sequences.map(({ ids }) => ids[0]);
  }
});
