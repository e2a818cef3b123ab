import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  AdaptiveP,
  type Candidates,
  Constrained,
  type Constraint,
  ForcedBegin,
  Infill,
  type JsonValue,
  type LogitsProcessor,
  LogSoftmax,
  Mask,
  Mirostat,
  MirostatV2,
  PLess,
  PLessNorm,
  PROCESSORS,
  Processor,
  type ProcessorClass,
  processor,
  processorInfo,
  type StepContext,
  SynthId,
  ThinkingBudget,
  type Tokenizer,
  TopH,
  TopNSigma,
  WhisperTimestamps,
} from '../../processors/index.js';
import { AllowedTokens, BadWords, ForcedEnd } from '../../src/index.js';
import { LawError, type MakeProcessor, processorLaws } from '../../src/laws/index.js';
import { Pcg32 } from '../../src/random/index.js';
import { Counter, drawer } from '../support/steps.js';
import { MOD_3, randomOptions } from './random-options.js';

function maker(target: ProcessorClass): (random: Pcg32) => LogitsProcessor {
  const make = target as unknown as new (options: object, tokenizer: Tokenizer) => LogitsProcessor;
  const { options } = processorInfo(target);
  return (random) => new make(randomOptions(options, random), MOD_3);
}

/** LAW_CASES says how many examples each law tries. */
const CASES = Number(process.env.LAW_CASES ?? 40);

const LAWFUL: [string, MakeProcessor][] = [
  ...PROCESSORS.map((target): [string, MakeProcessor] => [target.name, maker(target)]),
  ['a plain object with a state', () => new Counter()],
  ['a plain object that draws', () => drawer([])],
  ['a constraint that forbids to say an id twice in a row', () => new Constrained(new NoEcho())],
  [
    'a mask from outside',
    (random) => {
      const mask = new Mask();
      mask.set({ ban: [random.below(2)] });
      return mask;
    },
  ],
];

describe('the laws of processors', () => {
  it.each(LAWFUL)('hold for %s', (_, make) => {
    processorLaws(make, { cases: CASES });
  });

  it.each(PROCESSORS.filter((target) => processorInfo(target).inject === undefined))(
    'hold for the class %o',
    (target) => {
      const { options } = processorInfo(target);
      const held: string[] = [];
      processorLaws(target, {
        options: (random) => randomOptions(options, random),
        cases: 8,
        onLaw: (law) => held.push(law),
      });
      expect(held).toHaveLength(8);
      expect(held.at(-1)).toBe('an option that it does not know is refused');
    },
  );
});

/** A language without an end: any ids, but none right after itself. */
class NoEcho implements Constraint {
  readonly done = false;
  #last: number[] = [];

  mask(): { ban: number[] } {
    return { ban: this.#last };
  }

  advance(id: number): void {
    this.#last = [id];
  }

  isComplete(): boolean {
    return false;
  }

  save(): JsonValue {
    return this.#last;
  }

  restore(state: JsonValue): void {
    this.#last = state as number[];
  }
}

/** Whatever their options, they do something. */
const ALWAYS_ON: readonly ProcessorClass[] = [
  ...[AllowedTokens, BadWords, ForcedEnd, ForcedBegin, Mirostat, MirostatV2, AdaptiveP],
  ...[ThinkingBudget, WhisperTimestamps, Infill, SynthId],
  ...[LogSoftmax, TopNSigma, TopH, PLess, PLessNorm],
];

describe('random options', () => {
  it.each(PROCESSORS.map((target) => ({ target })))('reach $target.name on, and off where it can be', ({ target }) => {
    const make = maker(target);
    const active = Array.from({ length: 100 }, (_, n) => make(new Pcg32(n, 2026)).active);
    expect(active.filter((on) => on).length).toBeGreaterThan(20);
    if (ALWAYS_ON.includes(target)) expect(active).not.toContain(false);
    else expect(active.filter((on) => !on).length).toBeGreaterThan(2);
  });
});

/** Processors that break a law each, and what is said of it. */
const LAWLESS: [why: string, make: MakeProcessor, message: RegExp][] = [
  [
    'gives +Infinity',
    () => alone({ process: (c) => c.mapLogits((l) => l / 0) }),
    /40 of 40 examples were refused, the last as: CandidateSet: `value` must be a number below Infinity/,
  ],
  [
    'keeps none',
    () => alone({ process: (c) => c.keepBest(0) }),
    /40 of 40 examples were refused, the last as: CandidateSet/,
  ],
  ['counts its calls', () => alone({ process: numbered() }), /other logits when it ran again on the same token/],
  [
    'depends on what another one did',
    (() => {
      let made = 0;
      return () => {
        const n = made++;
        return alone({ process: (c) => c.setLogit(c.idAt(0), n) });
      };
    })(),
    /other logits from another one with the same options/,
  ],
  [
    'moves its state in `process`',
    () => {
      const counter = new Counter();
      return alone({
        process: () => counter.accept(),
        save: () => counter.save(),
        restore: () => {},
        accept: () => {},
      });
    },
    /the state after `process` is \{ count: 3 \}, not \{ count: 0 \}/,
  ],
  [
    'writes to the history',
    () => alone({ process: (_, { history }) => void (history.output as number[]).push(0) }),
    /the history after `process` is \[\[0, 0\], \[0, 0, 0, 0, 0, 0, 0, 0, 0, 0\]/,
  ],
  [
    'does not restore',
    () => Object.assign(new Counter(), { restore: () => {} }),
    /other logits at token 1 of a restored one/,
  ],
  [
    'cannot be saved',
    () => alone({ process: () => {}, accept: () => {} }),
    /it has `accept`, and not `save` and `restore`/,
  ],
  [
    'is off and cuts',
    () => alone({ process: (c) => c.keepBest(1), active: false }),
    /it is off, and changes the logit of id \d/,
  ],
  [
    'is off and settles',
    () => alone({ process: (c) => c.settle(c.idAt(0)), active: false }),
    /it is off, and settles an id/,
  ],
  ['is off and draws', () => alone({ process: (_, c) => void c.uniform(), active: false }), /it is off, and draws/],
  ['draws in secret', () => alone({ process: (_, c) => void c.uniform() }), /it declares 0 and draws 1 for token 0/],
  ['draws less than it says', () => alone({ process: () => {}, draws: 1 }), /it declares 1 and draws 0 for token 0/],
  [
    'uses Math.exp',
    () => alone({ process: (c) => c.mapLogits((l) => Math.exp(l)) }),
    /it called Math\.exp, whose result is not the same everywhere: use context\.numerics/,
  ],
  [
    'uses Math.random',
    () => alone({ process: (c) => c.keepIds((_, i) => i === 0 || Math.random() < 0.5) }),
    /it called Math\.random/,
  ],
  [
    'is asynchronous',
    () => alone({ process: (async () => {}) as never }),
    /`process` gave a promise, and the candidates are lent for the call/,
  ],
  [
    'has other bits by other passes',
    () =>
      alone({
        process: (c) => ((c as { numerics?: { name: string } }).numerics?.name === 'exact' ? c.keepBest(1) : undefined),
      }),
    /by the plain passes/,
  ],
];

function alone(parts: Omit<LogitsProcessor, 'name'>): LogitsProcessor {
  return { name: 'lawless', ...parts };
}

/** Sets the logit of one id to the number of calls so far. */
function numbered(): (candidates: Candidates, context: StepContext) => void {
  let n = 0;
  return (candidates) => candidates.setLogit(candidates.idAt(0), n++);
}

describe('a processor that breaks a law is found out, with the reason:', () => {
  it.each(LAWLESS)('it %s', (_, make, message) => {
    expect(() => processorLaws(make)).toThrow(LawError);
    expect(() => processorLaws(make)).toThrow(message);
  });

  it('with an example that can be read', () => {
    expect(() => processorLaws(() => alone({ process: () => {}, draws: 1, options: { a: 1 } }))).toThrow(
      /\(options \{ a: 1 \}, V = [123], prompt \[.*\], output \[.*\], logits \[.*\]\)$/,
    );
  });

  it('it takes options that nobody has', () => {
    const options = z.looseObject({});
    @processor({ name: 'loose', options: options as never, stage: 'policy' })
    class Loose extends Processor<never> {
      process(): void {}
    }
    expect(() => processorLaws(Loose as never, { options: () => ({}) })).toThrow(
      /an option that it does not know is refused" does not hold: it takes `an_option_that_nobody_has`/,
    );
  });

  it('and Math is as it was', () => {
    const { exp, random } = Math;
    expect(() => processorLaws(() => alone({ process: () => void Math.exp(1) }))).toThrow(LawError);
    expect([Math.exp === exp, Math.random === random]).toEqual([true, true]);
  });

  it.each([
    [() => processorLaws(7 as never), 'processorLaws: `target` must be a function, got 7'],
    [
      () => processorLaws(AllowedTokens),
      'processorLaws: `options` must be a function that gives valid options of the class, got undefined',
    ],
    [() => processorLaws(() => new Counter(), { cases: 3 }), 'processorLaws: `cases` must be an integer >= 4, got 3'],
    [() => processorLaws(() => new Counter(), { seed: -1 }), 'processorLaws: `seed` must be an integer >= 0, got -1'],
  ])('refuses wrong arguments', (call, message) => {
    expect(call).toRefuse(message);
  });
});
