import { describe, expect, it } from 'vitest';
import { ForcedTrace } from '../../../processors/index.js';
import { createChain, createSampler } from '../../../src/index.js';
import { Pcg32 } from '../../../src/random/index.js';
import { agreesWithPlainArrays, expectUnchanged, without } from '../masks/plain-masks.js';
import { apply, kept } from '../step.js';

const M = -Infinity;

describe('ForcedTrace', () => {
  it.each([
    { history: [], left: [2], why: 'the first' },
    { history: [2], left: [0], why: 'the second' },
    { history: [1], left: [0], why: 'the second, whatever the first was' },
    { history: [2, 0], left: [2], why: 'the last' },
    { history: [2, 0, 2], left: [0, 1, 2], why: 'behind the trace all' },
  ])('of 2 0 2 after $history keeps $left: $why', ({ history, left }) => {
    expect(kept(apply(new ForcedTrace({ trace: [2, 0, 2] }), [1, 5, 3], { history, prompt: [1, 1] }))).toEqual(left);
  });

  agreesWithPlainArrays((random: Pcg32, V) => {
    const ids = Array.from({ length: 8 }, () => random.below(V));
    return {
      step: new ForcedTrace({ trace: ids }),
      rule: (l, { output }) => {
        const id = ids[output.length];
        if (id === undefined) return [...l];
        return l[id] === M
          ? undefined
          : without(
              l,
              [...l.keys()].filter((other) => other !== id),
            );
      },
    };
  });

  it('replays a request, with its logprobs, and goes on as it did', () => {
    const random = new Pcg32(12);
    const rows = Array.from({ length: 40 }, () => Float32Array.from({ length: 50 }, () => 6 * random.uniform()));
    const data = [
      { use: 'repetition-penalty', penalty: 1.2 },
      { use: 'temperature', temperature: 0.8 },
      { use: 'top-p', p: 0.9 },
    ];
    const original = createSampler({ seed: 9 }, { chain: createChain(data) });
    const tokens = rows.map((row) => original.sample(row));
    const trace = { use: 'forced-trace', trace: tokens.slice(0, 25).map(({ id }) => id) };
    const chain = createChain([data[0] as never, trace, ...data.slice(1)]);
    const again = createSampler({ seed: 9 }, { chain });
    expect(rows.map((row) => again.sample(row))).toEqual(tokens);
    expect(again.draws).toBe(original.draws);
  });

  it('is off without ids', () => {
    expect(new ForcedTrace({ trace: [] }).active).toBe(false);
  });

  it('refuses an id that was removed before, and one that is not below V', () => {
    const step = new ForcedTrace({ trace: [0, 2] });
    const message = 'ForcedTrace: `trace[1]` must be one of the kept ids when its turn comes, got 2';
    expectUnchanged(step, [0, 1, M], message, { output: [0] });
    expectUnchanged(step, [0, 1], 'ForcedTrace: `trace[1]` must be an integer in [0, 2), got 2');
  });

  it.each([
    [{}, 'ForcedTrace: `trace` must be an array of ids, got undefined'],
    [{ trace: [0, -1] }, 'ForcedTrace: `trace[1]` must be an integer >= 0, got -1'],
    [{ trace: [0], loop: 1 }, 'ForcedTrace: `loop` must be absent (the parameters are: trace), got 1'],
  ])('refuses the options %j', (options, message) => {
    expect(() => new ForcedTrace(options as never)).toRefuse(message);
  });

  it('is part of chains as data', () => {
    const data = [{ use: 'logprobs' }, { use: 'forced-trace', trace: [3, 1] }];
    expect(createChain(data).toData()).toEqual(data);
  });
});
