import { describe, expect, it } from 'vitest';
import { createSampler, traceSample } from '../../src/index.js';
import { exp, log } from '../../src/numerics/index.js';

describe('traceSample', () => {
  it('tells the worked example: what each step kept, the draw and the walk', () => {
    const trace = traceSample(createSampler({ top_k: 3, top_p: 0.8, seed: 0 }), [1, 3, 2, 3, -1]);
    const z = exp(-2) + 1 + exp(-1) + 1 + exp(-4);
    expect([trace.vocabSize, trace.tap]).toEqual([5, 2]);
    expect(trace.start.map((c) => [c.id, c.logit, c.q])).toEqual([
      [1, 3, 1 / z],
      [3, 3, 1 / z],
      [2, 2, exp(-1) / z],
      [0, 1, exp(-2) / z],
      [4, -1, exp(-4) / z],
    ]);
    expect(trace.steps.map((s) => [s.index, s.name, s.ran, s.kept, s.of, s.changed])).toEqual([
      [0, 'repetition-penalty', false, 0, 0, 0],
      [1, 'presence-frequency', false, 0, 0, 0],
      [2, 'temperature', false, 0, 0, 0],
      [3, 'top-k', true, 3, 5, 0],
      [4, 'top-p', true, 2, 3, 0],
      [5, 'min-p', false, 0, 0, 0],
    ]);
    const [, , , topK, topP] = trace.steps;
    expect(topK?.options).toEqual({ k: 3 });
    expect(topK?.before).toEqual(trace.start);
    expect(topK?.after.map((c) => c.id)).toEqual([1, 3, 2]);
    expect(topP?.before).toEqual(topK?.after);
    expect(topP?.after).toEqual([
      { id: 1, logit: 3, q: 0.5 },
      { id: 3, logit: 3, q: 0.5 },
    ]);
    expect(trace.scores).toEqual({ max: 3, total: z });
    expect(trace.draw?.u.toFixed(5)).toBe('0.80209');
    expect(trace.draw?.walk).toEqual([
      { id: 1, q: 0.5, c: 0.5 },
      { id: 3, q: 0.5, c: 1 },
    ]);
    expect(trace.token).toEqual({ id: 3, logprob: -log(z) });
  });

  it('walks to the id where the running sum first exceeds u, and no further', () => {
    const logits = Array.from({ length: 12 }, (_, id) => (id % 5) / 2);
    for (let seed = 0; seed < 20; seed++) {
      const { draw, token, start } = traceSample(createSampler({ seed }), logits);
      const walk = draw?.walk ?? [];
      expect(walk.map(({ id }) => id)).toEqual(Array.from({ length: token.id + 1 }, (_, id) => id));
      expect(walk.map(({ c }) => (draw?.u ?? 0) < c)).toEqual([...Array(token.id).fill(false), true]);
      expect(start).toHaveLength(12);
    }
  });

  it('shows a step that did not run as one that saw nothing', () => {
    const { steps } = traceSample(createSampler({ seed: 0 }), [1, 2]);
    expect(steps[3]).toEqual({
      index: 3,
      name: 'top-k',
      options: { k: 0 },
      ran: false,
      kept: 0,
      of: 0,
      changed: 0,
      changedIds: [],
      removedMass: 0,
      before: [],
      after: [],
    });
  });

  it('counts the logits that a step changed', () => {
    const sampler = createSampler({ temperature: 2, presence_penalty: 1, seed: 0 }, { history: [1, 2] });
    const { steps } = traceSample(sampler, [0, 3, 2, 0]);
    expect(steps.map((s) => s.changed)).toEqual([0, 2, 2, 0, 0, 0]); // 0 / 2 is 0
  });

  it('tells what a step removed, the least likely that it kept, and the entropy before and after', () => {
    const quarters = [log(2), 0, 0, -Infinity]; // q = 1/2, 1/4, 1/4 to the last bits
    const { start, steps } = traceSample(createSampler({ top_k: 2, seed: 0 }), quarters);
    const [, , , topK, topP] = steps;
    expect(topK?.changedIds).toEqual([]);
    expect(topK?.removedMass).toBe(start[2]?.q);
    expect(topK?.threshold).toBe(start[1]?.q);
    expect(topK?.entropy?.before).toBeCloseTo(1.5 * log(2), 14);
    expect(topK?.entropy?.after).toBeCloseTo(log(3) - (2 / 3) * log(2), 14);
    expect(topP?.entropy).toBeUndefined();
  });

  it('tells which logits a step changed, and no threshold where it removed none', () => {
    const sampler = createSampler({ presence_penalty: 1, seed: 0 }, { history: [2, 1] });
    const [, presence] = traceSample(sampler, [0, 3, 2, 0]).steps;
    expect(presence?.changedIds).toEqual([1, 2]);
    expect(presence?.removedMass).toBe(0);
    expect(presence).not.toHaveProperty('threshold');
  });

  it('has no draw where a step settled the token', () => {
    const trace = traceSample(createSampler({ temperature: 0, top_k: 2 }), [1, 3, 2]);
    expect(trace.draw).toBeUndefined();
    expect(trace.steps.map((s) => s.ran)).toEqual([false, false, true, false, false, false]);
    expect(trace.token.id).toBe(1);
  });

  it('samples the token that would have been sampled without it', () => {
    const params = { seed: 12, temperature: 1.3, top_p: 0.95, repetition_penalty: 1.1 };
    const [traced, plain] = [createSampler(params), createSampler(params)];
    for (let n = 0; n < 20; n++) {
      const logits = Array.from({ length: 25 }, (_, id) => ((id * 7 + n * 3) % 11) / 3);
      expect(traceSample(traced, logits).token).toEqual(plain.sample(logits));
    }
    expect(traced.draws).toBe(20);
  });
});
