import { describe, expect, it } from 'vitest';
import { EncoderRepetition } from '../../../processors/index.js';
import { expectSameBits } from '../../support/bits.js';
import { agreesWithPlainArrays, expectUnchanged, logitsAfter, randomIds } from '../masks/plain-masks.js';

const M = -Infinity;

describe('EncoderRepetition', () => {
  it.each([
    { options: { encoder_ids: [0, 1, 0, 3] }, after: [8, -1, 4, M, 0], why: 'the listed ids, once each' },
    { options: {}, after: [4, -2, 8, M, 0], why: 'the prompt is the input' },
  ])('$options gives $after: $why', ({ options, after }) => {
    const step = new EncoderRepetition({ penalty: 2, ...options });
    expectSameBits(logitsAfter(step, [4, -2, 4, M, 0], { prompt: [2, 2, 4], output: [0] }), after);
  });

  it('is off at 1', () => {
    expect(new EncoderRepetition({ penalty: 1 }).active).toBe(false);
    expect(new EncoderRepetition({ penalty: 1 + 2 ** -52 }).active).toBe(true);
  });

  agreesWithPlainArrays((random, V) => {
    const penalty = [1, 1.3, 0.7, 1e308, 1e-308][random.below(5)] as number;
    const encoder_ids = random.below(3) === 0 ? undefined : randomIds(random, Math.min(V, 6), 6, 1);
    return {
      step: new EncoderRepetition({ penalty, encoder_ids }),
      rule: (l, { prompt }) => {
        if (penalty !== 1 && encoder_ids?.some((id) => id >= V)) return undefined;
        const input = encoder_ids ?? prompt;
        const after = l.map((value, id) => {
          if (!input.includes(id)) return value;
          return value > 0 ? value * penalty : value / penalty;
        });
        return after.includes(Infinity) ? undefined : after;
      },
    };
  });

  it.each([
    [{ penalty: -1 }, '`penalty` must be a finite number > 0, got -1'],
    [{ penalty: 2, encoder_ids: [] }, '`encoder_ids` must be a non-empty array of ids, got []'],
  ])('refuses the options %j', (options, message) => {
    expect(() => new EncoderRepetition(options as never)).toRefuse(`EncoderRepetition: ${message}`);
  });

  it.each([
    [{ penalty: 1e308 }, [10, 0], '`penalty` must be small enough that no logit overflows, got 1e+308'],
    [{ penalty: 1e-308 }, [-10, M], '`penalty` must be such that an id is left above -Infinity, got 1e-308'],
    [{ penalty: 2, encoder_ids: [1, 2] }, [1, 1], '`encoder_ids[1]` must be an integer in [0, 2), got 2'],
  ])('refuses %j on %j, and changes nothing', (options, logits, message) => {
    expectUnchanged(new EncoderRepetition(options), logits, `EncoderRepetition: ${message}`, { prompt: [1, 0] });
  });
});
