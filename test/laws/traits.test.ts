/** The laws that hold for some processors: those that hold do, and a counterexample is found for each other one. */
import { describe, expect, it } from 'vitest';
import { MinP, PROCESSORS, processorInfo, Temperature } from '../../processors/index.js';
import { processorLaws, type Trait } from '../../src/laws/index.js';
import { exampleOf } from '../../src/laws/processors/example.js';
import { TRAITS } from '../../src/laws/processors/traits.js';
import { randomOptions } from './random-options.js';

const FILTER: readonly Trait[] = ['monotone', 'shift-invariant', 'argmax-invariant'];
const MASK: readonly Trait[] = ['shift-invariant', 'idempotent'];
const SHIFT: readonly Trait[] = ['shift-invariant'];

const OBEYED: Readonly<Record<string, readonly Trait[]>> = {
  'allowed-tokens': MASK,
  'banned-tokens': MASK,
  'logit-bias': SHIFT,
  'recent-repetition': [],
  'recent-presence-frequency': SHIFT,
  'repetition-penalty': [],
  'presence-frequency': SHIFT,
  'dynamic-temperature': FILTER,
  'log-softmax': [...FILTER, 'idempotent'],
  typical: SHIFT,
  epsilon: [...FILTER, 'idempotent'],
  eta: FILTER,
  'top-a': FILTER,
  'tail-free': FILTER,
  'top-n-sigma': FILTER,
  'top-h': FILTER,
  'p-less': FILTER,
  'p-less-norm': FILTER,
  xtc: SHIFT,
  temperature: FILTER,
  'top-k': [...FILTER, 'idempotent'],
  'top-p': FILTER,
  'min-p': [...FILTER, 'idempotent'],
};
const CASES = 200;

function firstBroken(name: string, trait: Trait): string | undefined {
  const target = PROCESSORS.find((one) => processorInfo(one).name === name) as new (options: object) => never;
  const { options } = processorInfo(target);
  for (let n = 0; n < CASES; n++) {
    try {
      TRAITS[trait](exampleOf((random) => new target(randomOptions(options, random)), n, CASES, 2026));
    } catch (error) {
      if ((error as Error).name !== 'InvalidValueError') return (error as Error).message;
    }
  }
  return undefined;
}

describe.each(Object.entries(OBEYED))('%s', (name, obeyed) => {
  it.each(Object.keys(TRAITS) as Trait[])('obeys what it declares, and breaks what it does not: %s', (trait) => {
    const broken = firstBroken(name, trait);
    if (obeyed.includes(trait)) expect(broken).toBeUndefined();
    else expect(broken).toBeTypeOf('string');
  });
});

describe('processorLaws', () => {
  it('tries what a class declares, and tells it', () => {
    const held: string[] = [];
    const options = () => ({ m: 0.1 });
    processorLaws(MinP, { options, cases: 8, obeys: ['monotone', 'idempotent'], onLaw: (law) => held.push(law) });
    expect(held.slice(-3, -1)).toEqual(['monotone', 'idempotent']);
  });

  it('finds out who declares what does not hold', () => {
    const options = () => ({ temperature: 2 });
    expect(() => processorLaws(Temperature, { options, obeys: ['idempotent'] })).toThrow(
      /the law "idempotent" does not hold: id \d+ has .* the second time/,
    );
  });

  it.each([[[]], [['no-such']], ['monotone'], [new Array(2)], [[['monotone']]]])(
    'refuses %j as what is declared',
    (obeys) => {
      expect(() => processorLaws(MinP, { options: () => ({ m: 0.1 }), obeys: obeys as never })).toThrow(
        /`obeys` must be/,
      );
    },
  );
});
