import { describe, expect, it } from 'vitest';
import { RecentRepetition, RepetitionPenalty } from '../../../processors/index.js';
import { createChain } from '../../../src/index.js';
import { expectSameBits } from '../../support/bits.js';
import { agreesWithPlainArrays, expectUnchanged, logitsAfter, randomIds } from '../masks/plain-masks.js';

const M = -Infinity;

describe('RecentRepetition', () => {
  it.each([
    { options: { sustain: 2 }, output: [0, 1, 2], after: [8, 4, 4, 8], why: 'the last two' },
    { options: { sustain: 2 }, output: [0, 1, 0], after: [4, 4, 8, 8], why: 'once, however often' },
    { options: {}, output: [0, 1, 2], after: [4, 4, 4, 4], why: 'the whole text' },
    { options: { sustain: 9 }, output: [0], after: [4, 8, 8, 4], why: 'the prompt counts' },
    { options: { sustain: 9, prompt: false }, output: [0], after: [4, 8, 8, 8], why: 'or does not' },
    {
      options: { sustain: 1, decay: 2 },
      output: [0, 1, 2],
      after: [8 / 1.5, 4, 4, 8],
      why: 'full at the first that fades',
    },
    { options: { sustain: 0, decay: 4 }, output: [0, 1, 2], after: [8 / 1.5, 8 / 1.75, 4, 8 / 1.25], why: 'fading' },
    {
      options: { sustain: 0, decay: 4 },
      output: [2, 1, 2],
      after: [8, 8 / 1.75, 4, 8 / 1.25],
      why: 'the newest decides',
    },
    {
      options: { sustain: 2, exempt_ids: [1] },
      output: [0, 0, 1],
      after: [4, 8, 8, 8],
      why: 'an exempt id is a place',
    },
    { options: { sustain: 0 }, output: [0], after: [8, 8, 8, 8], why: 'a window of none is off' },
  ])('$options after $output gives $after: $why', ({ options, output, after }) => {
    const step = new RecentRepetition({ penalty: 2, ...options });
    expectSameBits(logitsAfter(step, [8, 8, 8, 8], { prompt: [3], output }), after);
  });

  it.each([
    { options: { penalty: 1, sustain: 4 }, active: false },
    { options: { penalty: 2, sustain: 0 }, active: false },
    { options: { penalty: 2, sustain: 0, decay: 1 }, active: true },
    { options: { penalty: 0.5 }, active: true },
  ])('is active unless it does nothing: $options', ({ options, active }) => {
    expect(new RecentRepetition(options).active).toBe(active);
  });

  it('multiplies what is not above 0, keeps the sign of 0, and leaves a masked id masked', () => {
    const step = new RecentRepetition({ penalty: 4 });
    expectSameBits(logitsAfter(step, [-1, 0, -0, M, 1], { output: [0, 1, 2, 3] }), [-4, 0, -0, M, 1]);
  });

  it('is the repetition penalty of the spec where it is given nothing else', () => {
    const history = { prompt: [5, 1, 1], output: [0, 5, 3] };
    const logits = [1.1, -2.3, 0.7, 1e-9, 3, -0.1];
    const spec = logitsAfter(new RepetitionPenalty({ penalty: 1.3 }), logits, history);
    expectSameBits(logitsAfter(new RecentRepetition({ penalty: 1.3 }), logits, history), [...spec]);
  });

  agreesWithPlainArrays((random, V) => {
    const penalty = [1, 1.3, 0.7, 1e306, 1e-306][random.below(5)] as number;
    const sustain = random.below(8);
    const decay = random.below(5);
    const prompt = random.below(2) === 0;
    const exempt_ids = randomIds(random, Math.min(V, 4), 2);
    const isOff = penalty === 1 || sustain + decay === 0;
    return {
      step: new RecentRepetition({ penalty, sustain, decay, prompt, exempt_ids }),
      rule: (l, history) => {
        const text = prompt ? [...history.prompt, ...history.output] : [...history.output];
        if (!isOff && exempt_ids.some((id) => id >= V)) return undefined;
        const after = l.map((value, id) => {
          const at = text.lastIndexOf(id);
          const age = text.length - 1 - at;
          if (isOff || at < 0 || exempt_ids.includes(id) || age >= sustain + decay) return value;
          const faded = age < sustain ? 0 : (age - sustain) / decay;
          const r = penalty + (1 - penalty) * faded;
          return value > 0 ? value / r : value * r;
        });
        return after.includes(Infinity) ? undefined : after;
      },
    };
  });

  it.each([
    [{ penalty: 0 }, '`penalty` must be a finite number > 0, got 0'],
    [{ penalty: 2, sustain: -1 }, '`sustain` must be an integer >= 0, got -1'],
    [{ penalty: 2, sustain: 1, decay: 0.5 }, '`decay` must be an integer >= 0, got 0.5'],
    [{ penalty: 2, decay: 3 }, '`decay` must be 0 where `sustain` is left out, as the whole text is sustained, got 3'],
    [{ penalty: 2, prompt: 1 }, '`prompt` must be true or false, got 1'],
    [{ penalty: 2, exempt_ids: [-1] }, '`exempt_ids[0]` must be an integer >= 0, got -1'],
  ])('refuses the options %j', (options, message) => {
    expect(() => new RecentRepetition(options as never)).toRefuse(`RecentRepetition: ${message}`);
  });

  it.each([
    { penalty: 1e-320, logits: [1, 0], message: 'large enough that no logit overflows, got 1e-320' },
    { penalty: 1e308, logits: [-10, M], message: 'such that an id is left above -Infinity, got 1e+308' },
  ])('refuses $penalty on $logits, and changes nothing', ({ penalty, logits, message }) => {
    expectUnchanged(new RecentRepetition({ penalty }), logits, `RecentRepetition: \`penalty\` must be ${message}`, {
      output: [1, 0],
    });
  });

  it('refuses an exempt id that is not below V, and changes nothing', () => {
    const message = 'RecentRepetition: `exempt_ids[1]` must be an integer in [0, 2), got 2';
    expectUnchanged(new RecentRepetition({ penalty: 2, exempt_ids: [0, 2] }), [1, 2], message, { output: [0, 1] });
  });

  it('is part of chains as data', () => {
    const data = [{ use: 'recent-repetition', penalty: 1.1, sustain: 64, decay: 0, prompt: true }, { use: 'logprobs' }];
    expect(createChain(JSON.parse(JSON.stringify(createChain(data).toData()))).toData()).toEqual(data);
  });
});
