/**
 * Penalties, biases and masks by the history, beside transcriptions of their rules over plain arrays: the same bits.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  Dry,
  EncoderNoRepeatNgram,
  EncoderRepetition,
  ExponentialDecayLength,
  ForcedBegin,
  type LogitsProcessor,
  MinLength,
  NothingLeftError,
  SequenceBias,
  SequenceFrequency,
  WindowedRepetition,
} from '../../../processors/index.js';
import { exactNumerics } from '../../../src/numerics/index.js';
import { expectSameBits } from '../../support/bits.js';
import { apply } from '../step.js';

const V = 9;
const ids = (most: number) => fc.array(fc.nat(4), { maxLength: most });
const logits = fc
  .array(
    fc.oneof(fc.integer({ min: -4, max: 4 }), fc.double({ min: -9, max: 9, noNaN: true }), fc.constant(-Infinity)),
    {
      minLength: V,
      maxLength: V,
    },
  )
  .filter((row) => row.filter((l) => l > -Infinity).length > 5);
const penalty = fc.constantFrom(0.5, 0.9, 1.1, 1.3, 2);

interface Texts {
  readonly prompt: readonly number[];
  readonly output: readonly number[];
}

type Rule = (l: number[], texts: Texts) => void;

/** Holds a step to its rule on random rows and histories. */
function hold<O>(options: fc.Arbitrary<O>, make: (options: O) => LogitsProcessor, rule: (options: O) => Rule): void {
  fc.assert(
    fc.property(options, logits, ids(12), ids(20), (chosen, row, prompt, output) => {
      const expected = [...row];
      rule(chosen)(expected, { prompt, output });
      if (expected.every((l) => l === -Infinity)) {
        expect(() => apply(make(chosen), row, { prompt, history: output })).toThrow(NothingLeftError);
      } else {
        expectSameBits(apply(make(chosen), row, { prompt, history: output }).toLogits(), expected, 'logits');
      }
    }),
    { numRuns: 400 },
  );
}

const divided = (l: number, r: number) => (l > 0 ? l / r : l * r);

describe('by its rule', () => {
  it('the windowed repetition penalty', () => {
    const options = fc.record({
      penalty,
      window: fc.integer({ min: 1, max: 6 }),
      decay: fc.nat(5),
      prompt: fc.boolean(),
      exempt: ids(2),
    });
    hold(
      options,
      (o) => new WindowedRepetition(o),
      (o) => (l, texts) => {
        const all = o.prompt ? [...texts.prompt, ...texts.output] : texts.output;
        for (let id = 0; id < V; id++) {
          const age = [...all].reverse().indexOf(id);
          if (age < 0 || age >= o.window + o.decay || o.exempt.includes(id)) continue;
          const share = (o.window + o.decay - age) / (o.decay + 1);
          const faded = 1 + ((o.penalty - 1) * (o.window + o.decay - age)) / (o.decay + 1);
          expect(share).toBeGreaterThan(0);
          l[id] = divided(l[id] as number, age < o.window ? o.penalty : faded);
        }
      },
    );
  });

  it('presence and frequency over prompt and output', () => {
    hold(
      fc.record({ presence: fc.constantFrom(0, 0.5, -1), frequency: fc.constantFrom(0, 0.3, -0.2) }),
      (o) => new SequenceFrequency(o),
      (o) => (l, texts) => {
        for (let id = 0; id < V; id++) {
          const count = [...texts.prompt, ...texts.output].filter((other) => other === id).length;
          if (count > 0) l[id] = (l[id] as number) - o.frequency * count - o.presence;
        }
      },
    );
  });

  it('the encoder repetition penalty', () => {
    hold(
      fc.record({ penalty }),
      (o) => new EncoderRepetition(o),
      (o) =>
        (l, { prompt }) => {
          for (const id of new Set(prompt)) l[id] = divided(l[id] as number, 1 / o.penalty);
        },
    );
  });

  it('exponential decay of length', () => {
    hold(
      fc.record({ start: fc.nat(12), factor: fc.constantFrom(0.9, 1, 1.02, 1.5), end_ids: fc.constant([1, 3]) }),
      (o) => new ExponentialDecayLength(o),
      (o) =>
        (l, { output }) => {
          if (output.length <= o.start) return;
          const raised = exactNumerics.pow(o.factor, output.length - o.start) - 1;
          for (const id of o.end_ids)
            if (l[id] !== -Infinity) l[id] = (l[id] as number) + Math.abs(l[id] as number) * raised;
        },
    );
  });

  it('DRY', () => {
    const options = fc.record({
      multiplier: fc.constantFrom(0, 0.8, 2),
      base: fc.constantFrom(1, 1.75, 3),
      allowed_length: fc.integer({ min: 1, max: 4 }),
      window: fc.nat(14),
      breakers: fc.array(fc.nat(4), { maxLength: 2 }).map((list) => list.map((id) => [7, id])),
    });
    hold(
      options,
      (o) => new Dry(o),
      (o) => (l, texts) => {
        if (o.multiplier === 0) return;
        const breakers = o.breakers.map((breaker) => breaker[1]);
        const whole = [...texts.prompt, ...texts.output];
        const all = o.window === 0 ? whole : whole.slice(-o.window);
        const isBreaker = (id: number | undefined) => breakers.includes(id);
        const longest = new Map<number, number>();
        for (let next = 1; next < all.length; next++) {
          const passage = (length: number) => all.slice(next - length, next);
          let length = 0;
          const equal = (n: number) => n <= next && String(passage(n)) === String(all.slice(all.length - n));
          while (length < 50 && equal(length + 1) && !isBreaker(all[next - length - 1])) length++;
          const id = all[next] as number;
          if (!isBreaker(id) && length > (longest.get(id) ?? 0)) longest.set(id, length);
        }
        for (const [id, length] of longest) {
          if (length < o.allowed_length) continue;
          l[id] = (l[id] as number) - o.multiplier * exactNumerics.pow(o.base, length - o.allowed_length);
        }
      },
    );
  });

  it('no n-gram of the prompt', () => {
    hold(
      fc.record({ n: fc.nat(4) }),
      (o) => new EncoderNoRepeatNgram(o),
      ({ n }) =>
        (l, { prompt, output }) => {
          if (n === 0 || output.length < n - 1) return;
          const end = output.slice(output.length - (n - 1));
          for (let at = n - 1; at < prompt.length; at++) {
            if (String(prompt.slice(at - (n - 1), at)) === String(end)) l[prompt[at] as number] = -Infinity;
          }
        },
    );
  });

  it('sequence bias', () => {
    const entry = fc.record({
      ids: fc.array(fc.nat(4), { minLength: 1, maxLength: 3 }),
      bias: fc.constantFrom(-2, -0.1, 0.3, 5),
    });
    hold(
      fc.record({ biases: fc.array(entry, { maxLength: 5 }) }),
      (o) => new SequenceBias(o),
      (o) =>
        (l, { prompt, output }) => {
          const text = [...prompt, ...output];
          const sums = new Map<number, number>();
          for (const one of o.biases) {
            const before = one.ids.slice(0, -1);
            if (before.length > text.length) continue;
            if (String(text.slice(text.length - before.length)) !== String(before)) continue;
            const last = one.ids.at(-1) as number;
            sums.set(last, (sums.get(last) ?? 0) + one.bias);
          }
          for (const [id, bias] of sums) l[id] = (l[id] as number) + bias;
        },
    );
  });

  it('min length', () => {
    hold(
      fc.record({ min_length: fc.nat(30), end_ids: fc.constantFrom([0], [1, 2]) }),
      (o) => new MinLength(o),
      (o) =>
        (l, { prompt, output }) => {
          if (prompt.length + output.length < o.min_length) for (const id of o.end_ids) l[id] = -Infinity;
        },
    );
  });

  it('a forced begin', () => {
    hold(
      fc.record({ begin_id: fc.nat(8) }),
      (o) => new ForcedBegin(o),
      (o) =>
        (l, { output }) => {
          if (output.length > 0) return;
          l.forEach((_, id) => {
            if (id !== o.begin_id) l[id] = -Infinity;
          });
        },
    );
  });
});

describe('DRY', () => {
  const tokenizer = {
    vocabSize: 9,
    encode: (text: string) => [...text].map((letter) => (letter === '\n' ? 7 : 1)),
    tokenBytes: () => new Uint8Array(1),
  };
  const logitsAfter = (step: Dry) => [...apply(step, Array(V).fill(0), { history: [2, 3, 7, 4, 2, 3, 7] }).toLogits()];

  it('is broken by the last id of a text behind a letter', () => {
    expect(logitsAfter(new Dry({ multiplier: 1, breakers: ['\n'] }, tokenizer))).toEqual(Array(V).fill(0));
    expect(logitsAfter(new Dry({ multiplier: 1 }))[4]).toBe(-1.75);
  });

  it('asks for a tokenizer where a breaker is a text', () => {
    expect(() => new Dry({ multiplier: 1, breakers: ['\n'] })).toThrow(
      'Dry: `tokenizer` must be there, as `breakers[0]` is a text',
    );
    expect(new Dry({ multiplier: 1, breakers: ['\n'] }, tokenizer).version).toBe('a tokenizer without an id, 9 ids');
    expect(new Dry({ multiplier: 1, breakers: [[7]] }).version).toBeUndefined();
  });

  it('counts no passage as longer than 50', () => {
    const said = Array.from({ length: 200 }, () => 5);
    const set = apply(new Dry({ multiplier: 1, base: 2 }), Array(V).fill(0), { history: said });
    expect(set.logit(5)).toBe(-(2 ** 48));
  });
});

describe('penalties that overflow are refused by name', () => {
  const row = [1e308, 1, -1e308, 0, 0, 0, 0, 0, 0];
  it.each<[string, LogitsProcessor]>([
    ['WindowedRepetition: `penalty`', new WindowedRepetition({ penalty: 1e-9, window: 4 })],
    ['SequenceFrequency: `frequency`', new SequenceFrequency({ presence: 0, frequency: -1e308 })],
    ['EncoderRepetition: `penalty`', new EncoderRepetition({ penalty: 1e9 })],
    ['ExponentialDecayLength: `factor`', new ExponentialDecayLength({ start: 0, factor: 9, end_ids: [0] })],
    ['Dry: `multiplier`', new Dry({ multiplier: 1e308, allowed_length: 1 })],
    ['SequenceBias: `biases[0].bias`', new SequenceBias({ biases: [{ ids: [0], bias: 1e308 }] })],
  ])('%s', (message, step) => {
    expect(() => apply(step, row, { prompt: [0, 2], history: [0, 2, 0, 2, 0] })).toThrow(message);
  });

  it('and ids outside the vocabulary', () => {
    const end = { end_ids: [9] };
    const steps = [
      new MinLength({ min_length: 3, ...end }),
      new ExponentialDecayLength({ start: 0, factor: 2, ...end }),
      new ForcedBegin({ begin_id: 9 }),
      new SequenceBias({ biases: [{ ids: [1, 9], bias: 1 }] }),
    ];
    for (const step of steps)
      expect(() => apply(step, Array(V).fill(0))).toThrow(/must be an integer in \[0, 9\), got 9/);
  });
});
