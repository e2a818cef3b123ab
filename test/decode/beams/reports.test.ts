/**
 * What steps have to say of each sequence of a search: of its own ids, though they are told of all.
 */
import { describe, expect, it } from 'vitest';
import type { LogitsProcessor } from '../../../processors/index.js';
import { beamSearch, beamSteps } from '../../../src/index.js';
import { ScriptedModel } from '../../support/scripted-model.js';

const END = 3;
const V = 4;

/** Says which ids it was told, and nothing before the first. */
function listener(name = 'listener'): LogitsProcessor {
  let told: readonly number[] = [];
  return {
    name,
    stage: 'scores',
    process: () => {},
    accept: (id) => {
      told = [...told, id];
    },
    report: () => (told.length === 0 ? undefined : { told }),
    save: () => told,
    restore: (state) => {
      told = state as readonly number[];
    },
  };
}

const model = () => new ScriptedModel(V, 20, [END], (ids) => [ids.length % 3, 1, ids.length % 2, 1.2], 0);

describe('reports of beams', () => {
  it.each([
    ['spec', {}],
    ['hf', {}],
    ['hf', { num_beam_groups: 3, diversity_penalty: 0.5 }],
  ] as const)('are those of each sequence, by the rules %s with %o', async (rules, params) => {
    const own = { num_beams: 3, num_return_sequences: 3, max_tokens: 5, ...params };
    const { sequences } = await beamSearch(model(), [0], own, { before: [listener()], rules });
    expect(sequences.length).toBe(3);
    expect(new Set(sequences.map(({ finish_reason }) => finish_reason)).size).toBeGreaterThan(0);
    for (const { ids, reports } of sequences) expect(reports).toEqual({ listener: { told: ids } });
  });

  it('are those of greedy search, and of what ended in a step', async () => {
    const { sequences } = await beamSearch(model(), [0], { max_tokens: 4 }, { before: [listener()] });
    expect(sequences.map(({ ids, reports }) => [ids, reports])).toEqual([
      [sequences[0]?.ids, { listener: { told: sequences[0]?.ids } }],
    ]);
    let ended = 0;
    const params = { num_beams: 3, num_return_sequences: 3, max_tokens: 5 };
    for await (const step of beamSteps(model(), [0], params, { before: [listener()] })) {
      for (const { ids, reports } of step.ended) expect(reports).toEqual({ listener: { told: ids } });
      ended += step.ended.length;
    }
    expect(ended).toBeGreaterThan(0);
  });

  it('are those of a beam that nothing may come behind', async () => {
    const words = new Int32Array([0b0011]);
    const mask: LogitsProcessor = {
      name: 'narrowing',
      stage: 'scores',
      process: (candidates, { history }) => {
        words[0] = history.output.length < 2 ? 0b0011 : 0b0000;
        candidates.keepMask(words);
      },
    };
    const params = { num_beams: 2, num_return_sequences: 2, max_tokens: 5 };
    const { sequences } = await beamSearch(model(), [0], params, { before: [mask, listener()] });
    expect(sequences.map(({ finish_reason }) => finish_reason)).toEqual(['exhausted', 'exhausted']);
    for (const { ids, reports } of sequences) expect(reports).toEqual({ listener: { told: ids } });
  });

  it('are absent where no step has anything to say', async () => {
    const { report: _, ...silent } = listener('silent');
    const sayNothing = { ...listener('quiet'), report: () => undefined };
    const { sequences } = await beamSearch(model(), [0], { max_tokens: 4 }, { before: [silent, sayNothing] });
    expect(Object.keys(sequences[0] as object)).not.toContain('reports');
  });

  it('leave the steps as they were', async () => {
    const step = listener();
    step.accept?.(2);
    const params = { num_beams: 2, max_tokens: 4 };
    const { sequences } = await beamSearch(model(), [0], params, { before: [step] });
    expect(sequences[0]?.reports).toEqual({ listener: { told: [2, ...(sequences[0]?.ids ?? [])] } });
    expect(step.report?.()).toEqual({ told: [2] });
  });
});
