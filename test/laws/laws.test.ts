import { describe, expect, it } from 'vitest';
import {
  type Candidates,
  Constrained,
  type Constraint,
  type JsonValue,
  type LogitsProcessor,
  Mask,
  PROCESSORS,
  type ProcessorClass,
  processorInfo,
  type StepContext,
  type Tokenizer,
} from '../../processors/index.js';
import { AllowedTokens, BadWords, ForcedEnd } from '../../src/index.js';
import { Pcg32 } from '../../src/random/index.js';
import { Counter, drawer } from '../chain/steps.js';
import { LAWS, processorLaws } from './laws.js';
import { MOD_3, randomOptions } from './random-options.js';

function maker(target: ProcessorClass): (random: Pcg32) => LogitsProcessor {
  const make = target as unknown as new (options: object, tokenizer: Tokenizer) => LogitsProcessor;
  const { options } = processorInfo(target);
  return (random) => new make(randomOptions(options, random), MOD_3);
}

for (const target of PROCESSORS) processorLaws(target.name, maker(target));

processorLaws('a plain object with a state', () => new Counter());
processorLaws('a plain object that draws', () => drawer([]));
processorLaws('a constraint that forbids to say an id twice in a row', () => new Constrained(new NoEcho()));
processorLaws('a mask from outside', (random) => {
  const mask = new Mask();
  mask.set({ ban: [random.below(2)] });
  return mask;
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
const ALWAYS_ON: readonly ProcessorClass[] = [AllowedTokens, BadWords, ForcedEnd];

describe('random options', () => {
  it.each(PROCESSORS.map((target) => ({ target })))('reach $target.name on, and off where it can be', ({ target }) => {
    const make = maker(target);
    const active = Array.from({ length: 100 }, (_, n) => make(new Pcg32(n, 2026)).active);
    expect(active.filter((on) => on).length).toBeGreaterThan(20);
    if (ALWAYS_ON.includes(target)) expect(active).not.toContain(false);
    else expect(active.filter((on) => !on).length).toBeGreaterThan(2);
  });
});

/** Processors that break a law each: the suite has to notice. */
const LAWLESS: [string, () => LogitsProcessor][] = [
  ['the same bits come out twice, and from float64 logits', () => alone({ process: numbered() })],
  [
    '`process` changes no state, of its own or of the history',
    () => {
      const counter = new Counter();
      return alone({
        process: () => counter.accept(),
        save: () => counter.save(),
        restore: () => {},
        accept: () => {},
      });
    },
  ],
  ['to save, restore and go on is to go on', () => Object.assign(new Counter(), { restore: () => {} })],
  ['to save, restore and go on is to go on', () => alone({ process: () => {}, accept: () => {} })],
  ['what is off changes no bit', () => alone({ process: (c) => c.keepBest(1), active: false })],
  ['as many uniforms are drawn as declared, whatever the logits', () => alone({ process: (_, c) => void c.uniform() })],
  ['as many uniforms are drawn as declared, whatever the logits', () => alone({ process: () => {}, draws: 1 })],
];

function alone(parts: Omit<LogitsProcessor, 'name'>): LogitsProcessor {
  return { name: 'lawless', ...parts };
}

/** Sets the logit of one id to the number of calls so far. */
function numbered(): (candidates: Candidates, context: StepContext) => void {
  let n = 0;
  return (candidates) => candidates.setLogit(candidates.idAt(0), n++);
}

describe('the law is broken, and it is noticed:', () => {
  it.each(LAWLESS)('%s', (law, make) => {
    expect(() => LAWS[law]?.(make)).toThrow('case ');
  });

  it('a processor that refuses everything', () => {
    const law = LAWS['K never grows and never empties'];
    expect(() => law?.(() => alone({ process: (c) => c.keepBest(0) }))).toThrow('cases that were refused');
  });
});
