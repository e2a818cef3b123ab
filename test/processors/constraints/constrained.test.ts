import { ContainerModule } from 'inversify';
import { describe, expect, it } from 'vitest';
import {
  Constrained,
  type Constraint,
  constraintFrom,
  type JsonValue,
  type TokenMask,
} from '../../../processors/index.js';
import { createContainer, processorToken } from '../../../src/container/index.js';
import { createSampler, ProcessorChain, restoreSampler, saveSampler, TopK } from '../../../src/index.js';
import { expectSameBits } from '../../support/bits.js';
import { agreesWithPlainArrays, expectUnchanged, logitsAfter, without } from '../masks/plain-masks.js';

const M = -Infinity;
const END = 3;

/** As many 0 as 1 after them, at most `depth`, and then the end. */
function balanced(depth: number): Constraint {
  return constraintFrom(
    (ids) => {
      const zeros = ids.filter((id) => id === 0).length;
      const ones = ids.length - zeros;
      if (ones === 0) return zeros === 0 ? [0] : zeros < depth ? [0, 1] : [1];
      return ones < zeros ? [1] : [END];
    },
    [END],
  );
}

/** Gives what it is told to, and counts the questions. */
class Told implements Constraint {
  readonly done = false;
  asked = 0;
  told: number[] = [];

  constructor(readonly answer: TokenMask) {}

  mask(): TokenMask {
    this.asked++;
    return this.answer;
  }

  advance(id: number): void {
    this.told.push(id);
  }

  isComplete(): boolean {
    return false;
  }

  save(): JsonValue {
    return { told: this.told };
  }

  restore(state: JsonValue): void {
    this.told = [...(state as { told: number[] }).told];
  }
}

describe('Constrained', () => {
  it('is a step of stage scores that is named constraint, or as one likes, with options of its own', () => {
    const plain = new Constrained(new Told([true]));
    expect([plain.name, plain.stage, plain.options]).toEqual(['constraint', 'scores', {}]);
    const named = new Constrained(new Told([true]), { name: 'json', options: { schema: 'x' } });
    expect(new ProcessorChain([named]).toData()).toEqual([{ use: 'json', schema: 'x' }, { use: 'logprobs' }]);
    expect(Object.isFrozen(named.options)).toBe(true);
  });

  it('refuses what is no constraint', () => {
    for (const wrong of [undefined, {}, { mask: () => [] }]) {
      expect(() => new Constrained(wrong as never)).toThrow('Constrained: `constraint` must be a Constraint (with ');
    }
  });

  it('lets a sampler say only what is in the language, to its end', () => {
    for (let seed = 0; seed < 20; seed++) {
      const constraint = balanced(4);
      const sampler = createSampler({ seed }, { before: [new Constrained(constraint)] });
      while (!constraint.done) sampler.sample(Float32Array.of(0.5, 0, 9, -3, 9));
      const ids = sampler.history.output;
      const half = (ids.length - 1) / 2;
      expect(ids).toEqual([...new Array(half).fill(0), ...new Array(half).fill(1), END]);
    }
  });

  it('asks and tells once a token, and not when it is looked at', () => {
    const told = new Told({ ban: [0] });
    const sampler = createSampler({ temperature: 0 }, { before: [new Constrained(told)] });
    expect([sampler.sample([9, 1]).id, told.asked, told.told]).toEqual([1, 1, [1]]);
    sampler.distribution([9, 1]);
    expect([told.asked, told.told]).toEqual([2, [1]]);
    sampler.accept(0);
    expect(told.told).toEqual([1, 0]);
  });

  it('renormalizes the logprobs over what is allowed', () => {
    const sampler = createSampler({ seed: 1 }, { before: [new Constrained(balanced(1))] });
    expect(sampler.sample([1, 2, 3, 4])).toEqual({ id: 0, logprob: 0 });
  });

  agreesWithPlainArrays((random, V) => {
    const allowed = Array.from({ length: V }, () => random.below(3) > 0);
    const ids = (want: boolean) => [...allowed.keys()].filter((id) => allowed[id] === want);
    const words = new Int32Array(Math.ceil(V / 32)).fill(random.below(2) - 1);
    for (const id of allowed.keys()) {
      const bit = 1 << (id & 31);
      words[id >> 5] = allowed[id] ? (words[id >> 5] as number) | bit : (words[id >> 5] as number) & ~bit;
    }
    const forms: TokenMask[] = [allowed, words, new Uint32Array(words), { allow: ids(true) }, { ban: ids(false) }];
    const step = new Constrained(new Told(forms[random.below(forms.length)] as TokenMask));
    return { step, rule: (l) => without(l, ids(false)) };
  });

  it('does not keep one mask in the words of another', () => {
    const words = new Uint32Array([1]);
    const answers: TokenMask[] = [words, { allow: [1] }, words, [false, true], words];
    const told = new Told(words);
    Object.defineProperty(told, 'answer', { get: () => answers[told.asked - 1] });
    const step = new Constrained(told);
    for (const expected of [
      [1, M],
      [M, 2],
      [1, M],
      [M, 2],
      [1, M],
    ])
      expectSameBits(logitsAfter(step, [1, 2]), expected);
    expect([...words]).toEqual([1]);
  });

  it('refuses to leave nothing, also after a filter, and changes nothing', () => {
    const message =
      'Constrained: `constraint` must be one that allows at least one of the kept ids, ' +
      'got "one that allows nothing of them"';
    expectUnchanged(new Constrained(new Told({ allow: [] })), [1, M, 0], message);
    expectUnchanged(new Constrained(new Told([false, true, false])), [1, M, 0], message);
    const chain = new ProcessorChain([new TopK({ k: 1 }), new Constrained(balanced(2))]);
    const sampler = createSampler({}, { chain });
    expect(() => sampler.sample([4, 5, 0, 0])).toRefuse(message.replace(':', ' (step 2 of 2):'));
    expect([sampler.draws, sampler.history.output]).toEqual([0, []]);
  });

  it('refuses a token after the end, under its own name', () => {
    const step = new Constrained(balanced(1), { name: 'balanced' });
    for (const id of [0, 1, END]) step.accept(id);
    expectUnchanged(
      step,
      [0, 0, 0, 0],
      'Constrained: `balanced` must be before its end (after it, it allows nothing), got "one that is done"',
    );
    expect(() => step.accept(0)).toRefuse('constraintFrom: `id` must be absent after the end id, got 0');
  });

  it('refuses a mask that does not fit V, and changes nothing', () => {
    expectUnchanged(
      new Constrained(new Told(new Int32Array(1))),
      new Array(33).fill(0),
      'Constrained: `mask.length` must be 2 (words of 32 ids each, for 33 ids), got 1',
    );
    const step = new Constrained(balanced(1));
    step.accept(0);
    expectUnchanged(step, [0], 'Constrained: `mask.allow[0]` must be an integer in [0, 1), got 1');
  });

  it('leaves everything as it was where an id is forced that is not allowed', () => {
    const constraint = balanced(3);
    const sampler = createSampler({ seed: 2 }, { before: [new Constrained(constraint)] });
    sampler.accept(0);
    const place = constraint.save();
    expect(() => sampler.accept(END)).toRefuse('constraintFrom: `id` must be one that may come next, got 3');
    expect([constraint.save(), sampler.history.output]).toEqual([place, [0]]);
    sampler.accept(1);
    expect(constraint.isComplete()).toBe(true);
  });

  it('goes on after save and restore as if nothing had been', () => {
    const container = createContainer(
      new ContainerModule(({ bind }) => {
        bind(processorToken('balanced')).toConstantValue((options) => {
          const { depth } = options as { depth: number };
          return new Constrained(balanced(depth), { name: 'balanced', options });
        });
      }),
    );
    const logits = Float32Array.of(1, 0.5, 4, 0);
    for (let seed = 0; seed < 10; seed++) {
      const before = [container.get(processorToken('balanced'))({ depth: 5 })];
      const sampler = createSampler({ seed }, { before, container });
      for (let i = 0; i < 2; i++) sampler.sample(logits);
      const restored = restoreSampler(JSON.parse(JSON.stringify(saveSampler(sampler))), { container });
      while (sampler.history.output.at(-1) !== END) expect(restored.sample(logits)).toEqual(sampler.sample(logits));
      expect(restored.history.output).toEqual(sampler.history.output);
    }
  });
});
