import { describe, expect, it } from 'vitest';
import { SequenceBias } from '../../../processors/index.js';
import { createChain } from '../../../src/index.js';
import { expectSameBits } from '../../support/bits.js';
import { agreesWithPlainArrays, expectUnchanged, logitsAfter, randomIds } from './plain-masks.js';

const M = -Infinity;

describe('SequenceBias', () => {
  it.each([
    { ids: [1], prompt: [], output: [], added: 2, why: 'one id, always' },
    { ids: [0, 1], prompt: [], output: [], added: 0, why: 'not begun' },
    { ids: [0, 1], prompt: [], output: [0], added: 2, why: 'begun, as long as the text' },
    { ids: [0, 1], prompt: [0], output: [], added: 2, why: 'begun by the prompt' },
    { ids: [2, 0, 1], prompt: [2], output: [0], added: 2, why: 'begun across the end of the prompt' },
    { ids: [2, 0, 1], prompt: [], output: [0], added: 0, why: 'the text is shorter' },
    { ids: [0, 1], prompt: [], output: [0, 3], added: 0, why: 'begun and left' },
  ])('$ids after $prompt and $output adds $added: $why', ({ ids, prompt, output, added }) => {
    const step = new SequenceBias({ sequences: [{ ids, bias: 2 }] });
    expectSameBits(logitsAfter(step, [1, 2, 3, 4], { prompt, output }), [1, 2 + added, 3, 4]);
  });

  it('sums the biases of one id in the order of the list', () => {
    const sequences = [0.1, 0.2, 0.3].map((bias) => ({ ids: [0], bias }));
    expectSameBits(logitsAfter(new SequenceBias({ sequences }), [0, 1]), [0.1 + 0.2 + 0.3, 1]);
    expectSameBits(logitsAfter(new SequenceBias({ sequences: sequences.toReversed() }), [0, 1]), [0.3 + 0.2 + 0.1, 1]);
    expect(0.1 + 0.2 + 0.3).not.toBe(0.3 + 0.2 + 0.1);
  });

  agreesWithPlainArrays((random, V) => {
    const sequences = Array.from({ length: random.below(6) }, () => {
      const bias = random.below(9) === 0 ? 1.7e308 : 4 * random.uniform() - 2;
      return { ids: randomIds(random, Math.min(V, 4), 3, 1), bias };
    });
    return {
      step: new SequenceBias({ sequences }),
      rule: (l, { prompt, output }) => {
        const text = [...prompt, ...output].join('/');
        if (sequences.some(({ ids }) => ids.some((id) => id >= V))) return undefined;
        const after = l.map((value, id) => {
          const ends = sequences.filter(({ ids }) => {
            const begin = ids.slice(0, -1).join('/');
            return ids.at(-1) === id && (begin === '' || `/${text}`.endsWith(`/${begin}`));
          });
          return ends.length === 0 ? value : value + ends.reduce((sum, { bias }) => sum + bias, 0);
        });
        return after.some((value, id) => (l[id] as number) > M && !Number.isFinite(value)) ? undefined : after;
      },
    };
  });

  it.each([
    [{}, '`sequences` must be an array of sequences, each an object of `ids` and `bias`, got undefined'],
    [{ sequences: [7] }, '`sequences[0]` must be an object of `ids` and `bias`, got 7'],
    [
      { sequences: [{ ids: [1], bias: 1, id: 2 }] },
      '`sequences[0]` must be an object of `ids` and `bias`, got { ids: [1], bias: 1, id: 2 }',
    ],
    [{ sequences: [{ ids: [], bias: 1 }] }, '`sequences[0].ids` must be a non-empty array of ids, got []'],
    [{ sequences: [{ ids: [1], bias: M }] }, '`sequences[0].bias` must be a finite number, got -Infinity'],
  ])('refuses the options %j', (options, message) => {
    expect(() => new SequenceBias(options as never)).toRefuse(`SequenceBias: ${message}`);
  });

  it('refuses what overflows and an id that is not below V, and changes nothing', () => {
    const large = { ids: [1], bias: 1e308 };
    const message = 'SequenceBias: `sequences[1].bias` must be small enough that no logit overflows, got Infinity';
    expectUnchanged(new SequenceBias({ sequences: [large, large] }), [0, 1], message);
    const beyond = 'SequenceBias: `sequences[1].ids[0]` must be an integer in [0, 2), got 2';
    expectUnchanged(new SequenceBias({ sequences: [large, { ids: [2, 0], bias: 1 }] }), [0, 0], beyond);
  });

  it('has frozen options, and is part of chains as data', () => {
    const { sequences } = new SequenceBias({ sequences: [{ ids: [1], bias: 1 }] }).options;
    expect([Object.isFrozen(sequences), Object.isFrozen(sequences[0])]).toEqual([true, true]);
    const data = [{ use: 'sequence-bias', sequences: [{ ids: [1, 2], bias: -1 }] }, { use: 'logprobs' }];
    expect(createChain(JSON.parse(JSON.stringify(createChain(data).toData()))).toData()).toEqual(data);
  });
});
