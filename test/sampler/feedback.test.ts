/**
 * What `accept` is told of an id: its probability where the step asks for it, from the very candidates.
 */
import { describe, expect, it } from 'vitest';
import type { AcceptInfo, Candidates, JsonValue, LogitsProcessor } from '../../processors/index.js';
import { createSampler, ProcessorChain, Temperature, TopK, TopP } from '../../src/index.js';
import { Pcg32 } from '../../src/random/index.js';
import { roughNormal } from '../support/requests.js';

const V = 90;
const random = new Pcg32(4, 4);
const rows = Array.from({ length: 6 }, () => Float32Array.from({ length: V }, () => 2 * roughNormal(random)));
const row = (n: number) => rows[n % rows.length] as Float32Array;

/** Notes what it is told, and forbids the ids that `refuses`. */
class Listener implements LogitsProcessor {
  readonly name = 'listener';
  declare readonly feedback?: 'drawn' | 'own';
  told: (number | undefined)[] = [];
  infos: (AcceptInfo | undefined)[] = [];

  constructor(
    feedback?: 'drawn' | 'own',
    readonly change: (candidates: Candidates) => void = () => {},
  ) {
    if (feedback !== undefined) this.feedback = feedback;
  }

  process(candidates: Candidates): void {
    this.change(candidates);
  }

  accept(_id: number, info?: AcceptInfo): void {
    this.infos.push(info);
    this.told.push(info?.probability);
  }

  save(): JsonValue {
    return this.told.map((q) => q ?? null);
  }

  restore(state: JsonValue): void {
    this.told = (state as (number | null)[]).map((q) => q ?? undefined);
  }
}

const inFront = () => [new Temperature({ temperature: 0.8 })];
const behind = () => [new TopK({ k: 20 }), new TopP({ p: 0.9 })];
const samplerOf = (...steps: LogitsProcessor[]) => createSampler({ seed: 5 }, { chain: new ProcessorChain(steps) });

describe.each([
  ['float32', row],
  ['float64', (n: number) => Float64Array.from(row(n))],
] as const)('accept(id, info), %s logits', (_, logits) => {
  it('tells `drawn` q of what the token was drawn from, to the bit', () => {
    const listener = new Listener('drawn');
    const sampler = samplerOf(...inFront(), listener, ...behind());
    const plain = samplerOf(...inFront(), ...behind());
    for (let n = 0; n < 12; n++) {
      const q = plain.distribution(logits(n));
      const { id } = sampler.sample(logits(n));
      expect(listener.told.at(-1)).toBe(q[id]);
      plain.accept(id);
    }
  });

  it('tells `own` q as the step found it, to the bit, whatever it and the others do after', () => {
    const listener = new Listener('own', (candidates) =>
      candidates.mapLogits((l, id) => (id % 7 === 0 ? l - 3 : l / 2)),
    );
    const sampler = samplerOf(...inFront(), listener, ...behind());
    const plain = samplerOf(...inFront());
    for (let n = 0; n < 12; n++) {
      const q = plain.distribution(logits(n));
      const { id } = sampler.sample(logits(n));
      expect(listener.told.at(-1)).toBe(q[id]);
      plain.accept(id);
    }
  });

  it('tells `own` behind a filter as well, and of each of two steps', () => {
    const [first, second] = [new Listener('own', (c) => c.keepBest(30)), new Listener('own', (c) => c.divideLogits(3))];
    const sampler = samplerOf(first, second, ...behind());
    const q1 = samplerOf(new Temperature({ temperature: 1 })).distribution(logits(0));
    const q2 = samplerOf(new TopK({ k: 30 })).distribution(logits(0));
    const { id } = sampler.sample(logits(0));
    expect([first.told, second.told]).toEqual([[q1[id]], [q2[id]]]);
  });
});

describe('what is told of an id that', () => {
  it('a step settled: `drawn` is 1, `own` is q at the place of a step that ran, and unknown behind', () => {
    const [drawn, own, late] = [new Listener('drawn'), new Listener('own'), new Listener('own')];
    const sampler = samplerOf(drawn, own, new Temperature({ temperature: 0 }), late);
    const q = samplerOf(new Temperature({ temperature: 1 })).distribution(row(0));
    const { id } = sampler.sample(row(0));
    expect([drawn.told, own.told, late.told]).toEqual([[1], [q[id]], [undefined]]);
  });

  it('was forced: nothing, unless the distribution was asked for just before', () => {
    const listener = new Listener('drawn');
    const sampler = samplerOf(listener, new TopK({ k: 2 }));
    sampler.accept(3);
    sampler.sample(row(0));
    sampler.accept(4);
    const q = sampler.distribution(row(1));
    const best = q.indexOf(Math.max(...q));
    sampler.accept(best);
    sampler.distribution(row(2));
    sampler.release();
    sampler.accept(best);
    sampler.distribution(row(2));
    sampler.accept(row(2).indexOf(Math.min(...row(2))));
    expect(listener.told).toEqual([undefined, expect.any(Number), undefined, q[best], undefined, 0]);
  });

  it('is told again, as a request begins after it: nothing', () => {
    const listener = new Listener('drawn');
    createSampler({ seed: 1 }, { chain: new ProcessorChain([listener]), history: [1, 2] });
    expect(listener.told).toEqual([undefined, undefined]);
  });

  it('comes to a step that declares no `feedback`: nothing', () => {
    const listener = new Listener();
    samplerOf(listener).sample(row(0));
    expect(listener.told).toEqual([undefined]);
  });
});

it('a probability that is read after `accept` is refused', () => {
  const listener = new Listener('drawn');
  samplerOf(listener).sample(row(0));
  expect(() => listener.infos[0]?.probability).toRefuse(
    'AcceptInfo: `probability` must be read while `accept` runs, got "read afterwards"',
  );
});

it('a step with `feedback` is brought back to what it knew when another one refuses an id', () => {
  const listener = new Listener('drawn');
  let refuses = false;
  const picky = {
    name: 'picky',
    process: () => {},
    accept: () => {
      if (refuses) throw new Error('not this one');
    },
  };
  const sampler = samplerOf(listener, picky);
  for (let n = 0; n < 3; n++) sampler.sample(row(n));
  const known = [...listener.told];
  refuses = true;
  expect(() => sampler.sample(row(3))).toThrow('not this one');
  expect(listener.told).toEqual(known);
  expect(known.every((q) => typeof q === 'number')).toBe(true);
});

it('a constraint that leaves one id does not spare the model where a step before it looks at q', () => {
  const only = {
    name: 'one',
    stage: 'scores',
    leavesOne: true,
    only: () => 3,
    process: (c: Candidates) => c.settle(3),
  } as const;
  const listener = (feedback: 'drawn' | 'own') =>
    ({ name: 'looks', stage: 'scores', leavesOne: true, feedback, process: () => {}, accept: () => {} }) as const;
  expect(new ProcessorChain([listener('own'), only]).only(9)).toBeUndefined();
  expect(new ProcessorChain([only, listener('own')]).only(9)).toBe(3);
  expect(new ProcessorChain([listener('drawn'), only]).only(9)).toBe(3);
});

it.each([
  [{ feedback: 'all' }, '`steps[0].feedback` must be `drawn` or `own`, got "all"'],
  [
    { feedback: 'own', accept: undefined },
    '`steps[0].accept` must be a function, as `feedback` is told to it, got undefined',
  ],
])('refuses %o', (parts, message) => {
  const step = { name: 'wrong', process: () => {}, accept: () => {}, ...parts } as unknown as LogitsProcessor;
  expect(() => new ProcessorChain([step])).toRefuse(`ProcessorChain: ${message}`);
});
