import { describe, expect, it } from 'vitest';
import type { JsonValue, LogitsProcessor } from '../../processors/index.js';
import { CandidateSet, TokenHistory } from '../../src/core.js';
import { createChain, MinP, ProcessorChain, RepetitionPenalty, Temperature, TopK, TopP } from '../../src/index.js';
import { exactNumerics } from '../../src/numerics/index.js';
import { expectSameBits } from '../support/bits.js';
import { Counter, drawer, NAMES, note } from '../support/steps.js';

function noDraw(): number {
  throw new Error('nothing is to be drawn here');
}

function run(chain: ProcessorChain, logits: number[], history: number[] = []): CandidateSet {
  const set = new CandidateSet();
  set.load(logits);
  chain.process(set, { history: new TokenHistory([], history), numerics: exactNumerics, uniform: noDraw });
  return set;
}

describe('ProcessorChain', () => {
  it('runs its steps in any order, each on what the one before left', () => {
    const l = [3, 2, 1, 0];
    expectSameBits(run(new ProcessorChain([new TopK({ k: 2 }), new Temperature({ temperature: 2 })]), l).toLogits(), [
      1.5,
      1,
      -Infinity,
      -Infinity,
    ]);
    // p = 0.9 keeps three of q = 0.64, 0.24, 0.09, 0.03; at T = 2 it keeps all
    const cold = new ProcessorChain([new TopP({ p: 0.9 }), new Temperature({ temperature: 2 })]);
    const hot = new ProcessorChain([new Temperature({ temperature: 2 }), new TopP({ p: 0.9 })]);
    expect([run(cold, l).size, run(hot, l).size]).toEqual([3, 4]);
  });

  it('reports what its steps say under their names, also where two have one name', () => {
    const says = (name: string, report: JsonValue | undefined) => ({ ...note(name, []), report: () => report });
    const reports = (...steps: LogitsProcessor[]) => new ProcessorChain(steps).reports();
    expect(reports(says('a', 1), says('b', null), says('a', 2), says('a', 3))).toEqual({
      a: 1,
      b: null,
      'a 2': 2,
      'a 3': 3,
    });
    expect(reports(says('a', undefined), says('a', 2), note('c', []))).toEqual({ 'a 2': 2 });
    expect(reports(says('a', undefined), note('c', []))).toBeUndefined();
  });

  it('may hold a step twice, and none at all', () => {
    const twice = new ProcessorChain([new Temperature({ temperature: 2 }), new Temperature({ temperature: 2 })]);
    expectSameBits(run(twice, [4, 8]).toLogits(), [1, 2]);
    expectSameBits(run(new ProcessorChain([]), [4, 8]).toLogits(), [4, 8]);
  });

  it('skips a step that is not active', () => {
    const log: string[] = [];
    run(new ProcessorChain([note('a', log), note('b', log, { active: false }), note('c', log, { active: true })]), [1]);
    expect(log).toEqual(['a', 'c']);
  });

  it('ends where a step settles the token', () => {
    const log: string[] = [];
    const greedy = new Temperature({ temperature: 0 });
    const set = run(new ProcessorChain([note('before', log), greedy, note('after', log)]), [1, 3, 3]);
    expect(log).toEqual(['before']);
    expect(set.settled).toBe(1);
    expectSameBits(set.toLogits(), [-Infinity, 3, -Infinity]);
  });

  it('ends where a step of the scores settles it too', () => {
    const log: string[] = [];
    const force: LogitsProcessor = { name: 'force', stage: 'scores', process: (c) => c.settle(2) };
    const set = run(new ProcessorChain([force, note('s', log, { stage: 'scores' }), note('p', log)]), [1, 3, 3]);
    expect([set.settled, log]).toEqual([2, []]);
  });

  it('tells an observer of each step that ran, after it ran', () => {
    const log: string[] = [];
    const chain = new ProcessorChain([
      note('a', log, { stage: 'scores' }),
      note('off', log, { active: false }),
      new TopK({ k: 1 }),
      new Temperature({ temperature: 0 }),
      note('late', log),
    ]);
    const set = new CandidateSet();
    set.load([1, 2]);
    chain.process(set, { history: new TokenHistory(), numerics: exactNumerics, uniform: noDraw }, (index, step) => {
      log.push(`${index} ${step.name} ${set.size}`);
    });
    expect(log).toEqual(['a', '0 a 2', '2 top-k 1', '3 temperature 1']);
  });

  it('is frozen, and holds the steps it was given', () => {
    const steps = [new TopK({ k: 2 })];
    const chain = new ProcessorChain(steps);
    steps.push(new TopK({ k: 1 }));
    expect(chain.steps).toEqual([steps[0]]);
    expect(Object.isFrozen(chain.steps)).toBe(true);
  });

  it.each<[unknown, string]>([
    [undefined, 'undefined'],
    [null, 'null'],
    ['top-k', '"top-k"'],
    [{ name: 'x' }, '{ name: "x" }'],
    [{ process: 1, name: 'x' }, '{ process: 1, name: "x" }'],
    [{ process: Math.abs }, '{ process: a function (abs) }'],
    [TopK, 'a function (TopK)'],
  ])('refuses the step %s', (step, shown) => {
    expect(() => new ProcessorChain([new TopK({ k: 1 }), step as never])).toRefuse(
      `ProcessorChain: \`steps[1]\` must be a processor (an object with \`name\` and \`process\`), got ${shown}`,
    );
  });
});

describe('the tap', () => {
  const penalty = new RepetitionPenalty({ penalty: 2 });
  const temperature = new Temperature({ temperature: 2 });

  it.each([
    { steps: [penalty, temperature], tap: 1, why: 'before the first step of policy' },
    { steps: [temperature, penalty], tap: 0, why: 'before a first step of policy' },
    { steps: [penalty, penalty], tap: 2, why: 'at the end where there is no policy' },
    { steps: [], tap: 0, why: 'at the end of nothing' },
    { steps: [note('plain', [])], tap: 0, why: 'before a step that does not say where it belongs' },
    { steps: [penalty, temperature, penalty], tap: 1, why: 'before the first of several' },
  ])('is $tap by default, $why', ({ steps, tap }) => {
    expect(new ProcessorChain(steps).tap).toBe(tap);
  });

  it.each([0, 1, 2])('can be put at %i', (tap) => {
    const chain = new ProcessorChain([penalty, temperature], { tap });
    expect(chain.tap).toBe(tap);
    const set = new CandidateSet();
    set.load([4, 0]);
    const scores = chain.process(set, { history: new TokenHistory([], [0]), numerics: exactNumerics, uniform: noDraw });
    const seen = [4, 2, 1][tap] as number;
    const alone = new CandidateSet();
    alone.load([seen, 0]);
    expect(scores.logprob(0)).toBe(alone.tapScores().logprob(0));
    expectSameBits(set.toLogits(), [1, 0]);
  });

  it('is where `score` stops', () => {
    const chain = new ProcessorChain([penalty, temperature]);
    const set = new CandidateSet();
    set.load([4, 0]);
    const scores = chain.score(set, { history: new TokenHistory([], [0]), numerics: exactNumerics, uniform: noDraw });
    expectSameBits(set.toLogits(), [2, 0]);
    expect(scores.max).toBe(2);
  });

  it.each([-1, 3, 0.5, Number.NaN, '1'])('refuses %s', (tap) => {
    const shown = typeof tap === 'string' ? `"${tap}"` : tap;
    expect(() => new ProcessorChain([penalty, temperature], { tap: tap as number })).toRefuse(
      `ProcessorChain: \`tap\` must be an integer in [0, 2], got ${shown}`,
    );
  });
});

describe('draws', () => {
  it('are the sum of what the active steps declare', () => {
    expect(new ProcessorChain([]).draws).toBe(0);
    expect(new ProcessorChain([new TopK({ k: 2 }), note('plain', [])]).draws).toBe(0);
    const off = note('off', [], { draws: 5, active: false });
    expect(new ProcessorChain([drawer([]), off, note('three', [], { draws: 3 })]).draws).toBe(5);
  });
});

describe('state', () => {
  it('moves in `accept`, in every step that has it', () => {
    const told: string[] = [];
    const chain = new ProcessorChain([
      note('a', [], { accept: (id) => told.push(`a${id}`), save: () => null, restore: () => {} }),
      note('b', []),
      note('c', [], { accept: (id) => told.push(`c${id}`), active: false }),
    ]);
    chain.accept(7);
    chain.accept(8);
    expect(told).toEqual(['a7', 'c7', 'a8', 'c8']);
  });

  it('is saved by step, and null for one without', () => {
    const counter = new Counter();
    const chain = new ProcessorChain([new TopK({ k: 2 }), counter]);
    chain.accept(1);
    chain.accept(1);
    expect(chain.save()).toEqual([null, { count: 2 }]);
    const other = new Counter();
    new ProcessorChain([new TopK({ k: 2 }), other]).restore(JSON.parse(JSON.stringify(chain.save())));
    expect(other.count).toBe(2);
  });

  it('is not asked for where a step can save without having to accept', () => {
    const states: JsonValue[] = [];
    const step = note('x', [], { save: () => 5, restore: (state) => states.push(state) });
    const chain = new ProcessorChain([step]);
    expect(chain.save()).toEqual([5]);
    chain.restore([6]);
    expect(states).toEqual([6]);
  });

  it.each([{ save: () => 1 }, { restore: () => {} }, {}])(
    'refuses to be saved where a step keeps it to itself: %o',
    (part) => {
      const chain = new ProcessorChain([note('secret', [], { accept: () => {}, ...part })]);
      expect(() => chain.save()).toThrow(
        'ProcessorChain: `secret` must be able to save and restore, as it has a state, got {',
      );
    },
  );

  it('refuses the states of another chain', () => {
    const chain = new ProcessorChain([new TopK({ k: 2 }), new Counter()]);
    expect(() => chain.restore([null])).toRefuse('ProcessorChain: `states` must be an array of 2 states, got [null]');
    expect(() => chain.restore([null, null, null])).toThrow('`states` must be an array of 2 states');
  });
});

describe('chains as data', () => {
  const data = [
    { use: 'repetition-penalty', penalty: 1.1 },
    { use: 'presence-frequency', presence: 0.5, frequency: 0 },
    { use: 'logprobs' },
    { use: 'temperature', temperature: 0.7 },
    { use: 'top-k', k: 40 },
    { use: 'top-p', p: 0.9 },
    { use: 'min-p', m: 0.05 },
  ];

  it('make the round trip, through JSON', () => {
    const chain = createChain(JSON.parse(JSON.stringify(data)));
    expect(chain.toData()).toEqual(data);
    expect(chain.tap).toBe(2);
    expect(chain.steps.map((step) => step.name)).toEqual([
      'repetition-penalty',
      'presence-frequency',
      'temperature',
      'top-k',
      'top-p',
      'min-p',
    ]);
    expect(createChain(chain.toData()).toData()).toEqual(data);
  });

  it.each([0, 1, 2, 3])('mark where logprobs are defined: before the step at %i', (tap) => {
    const steps = [new TopK({ k: 3 }), new MinP({ m: 0.1 }), new TopK({ k: 2 })];
    const written = new ProcessorChain(steps, { tap }).toData();
    expect(written[tap]).toEqual({ use: 'logprobs' });
    expect(createChain(written).tap).toBe(tap);
  });

  it('fill in what has a default', () => {
    expect(createChain([{ use: 'presence-frequency' }]).toData()[0]).toEqual({
      use: 'presence-frequency',
      presence: 0,
      frequency: 0,
    });
  });

  it('define logprobs before the policy where no mark is', () => {
    expect(
      createChain([
        { use: 'repetition-penalty', penalty: 2 },
        { use: 'top-k', k: 3 },
      ]).tap,
    ).toBe(1);
    expect(createChain([]).tap).toBe(0);
  });

  it('write a plain object without options by its name', () => {
    expect(new ProcessorChain([note('mine', [])]).toData()).toEqual([{ use: 'logprobs' }, { use: 'mine' }]);
  });

  it.each<{ chain: unknown; message: string }>([
    { chain: 'top-k', message: 'ProcessorChain: `chain` must be an array of steps, got "top-k"' },
    { chain: { use: 'top-k' }, message: 'ProcessorChain: `chain` must be an array of steps, got { use: "top-k" }' },
    {
      chain: [{ use: 'top-k', k: 2 }, null],
      message: 'ProcessorChain: `chain[1]` must be an object with `use`, a processor name, got null',
    },
    {
      chain: [{ k: 2 }],
      message: 'ProcessorChain: `chain[0]` must be an object with `use`, a processor name, got { k: 2 }',
    },
    {
      chain: ['top-k'],
      message: 'ProcessorChain: `chain[0]` must be an object with `use`, a processor name, got "top-k"',
    },
    {
      chain: [{ use: 3 }],
      message: 'ProcessorChain: `chain[0]` must be an object with `use`, a processor name, got { use: 3 }',
    },
    {
      chain: [{ use: null }],
      message: 'ProcessorChain: `chain[0]` must be an object with `use`, a processor name, got { use: null }',
    },
    {
      chain: [{ use: 'logprobs' }, { use: 'logprobs' }],
      message: 'ProcessorChain: `logprobs` must be marked once, got "2 marks"',
    },
    {
      chain: [{ use: 'logprobs', k: 2 }],
      message: 'ProcessorChain: `chain[0].k` must be absent beside `logprobs`, got 2',
    },
    {
      chain: [{ use: 'topk', k: 2 }],
      message: `ProcessorChain: \`use\` must be one of ${NAMES.join(', ')}, got "topk"`,
    },
    { chain: [{ use: 'top-k', k: -2 }], message: 'TopK: `k` must be an integer >= 0, got -2' },
    { chain: [{ use: 'top-k' }], message: 'TopK: `k` must be an integer >= 0, got undefined' },
    {
      chain: [{ use: 'top-k', k: 2, p: 1 }],
      message: 'TopK: `p` must be absent (the parameters are: k, min_keep), got 1',
    },
  ])('refuse $message', ({ chain, message }) => {
    expect(() => createChain(chain as never)).toRefuse(message);
  });
});

it('ProcessorChain refuses a state for a step that has none', () => {
  const chain = new ProcessorChain([{ name: 'plain', process() {} }]);
  expect(() => chain.restore([3])).toRefuse('ProcessorChain: `states[0]` must be null (plain has no state), got 3');
  chain.restore([null]);
});
