/** S1: a step with a state belongs to one request. Public case B52 is in fixtures/public-bugs/masks.json. */
import { describe, expect, it } from 'vitest';
import { Constrained, constraintFrom, type LogitsProcessor } from '../../processors/index.js';
import { createContainer } from '../../src/container/index.js';
import {
  beamSearch,
  beamSteps,
  createSampler,
  generate,
  generateChoices,
  generateMany,
  generateSpeculative,
  ModelDrafter,
  ProcessorChain,
  restoreSampler,
  sampleBatch,
  saveSampler,
  Temperature,
  TopK,
} from '../../src/index.js';
import { PieceTokenizer, ScriptedModel } from '../support/scripted-model.js';
import { Counter, note } from '../support/steps.js';

const letters = new PieceTokenizer(['a', 'b']);
const alone = (owner: string, name: string) =>
  `${owner}: \`${name}\` must be a step of this request alone, as it has a state (make one for each request), got "a step that another request has"`;

/** Logits [0, 0] always; it never ends by itself. */
function flat(): ScriptedModel {
  return new ScriptedModel(2, 40, [], () => Float32Array.of(0, 0));
}

/** First id 0, then 1 for ever. */
function zeroThenOne(): Constrained {
  return new Constrained(
    constraintFrom((ids) => [ids.length === 0 ? 0 : 1], []),
    { name: 'zero-then-one' },
  );
}

describe('a step with a state (S1)', () => {
  it('is refused by a second sampler, and the first goes on as if alone', () => {
    const before = [zeroThenOne()];
    const first = createSampler({ seed: 1 }, { before });
    expect(first.sample([0, 0]).id).toBe(0);
    expect(() => createSampler({ seed: 2 }, { before })).toRefuse(alone('Sampler', 'zero-then-one'));
    expect([first.sample([0, 0]).id, first.sample([0, 0]).id]).toEqual([1, 1]);
  });

  it('of a chain object is refused too, whichever chain brings it', () => {
    const counter = new Counter();
    const chain = new ProcessorChain([counter, new TopK({ k: 1 })]);
    const samplers = [createSampler({ seed: 1 }, { chain })];
    expect(() => createSampler({ seed: 1 }, { chain })).toRefuse(alone('Sampler', 'counter'));
    const other = new ProcessorChain([new TopK({ k: 2 }), counter]);
    expect(() => createSampler({ seed: 1 }, { chain: other })).toRefuse(alone('Sampler', 'counter'));
    expect(sampleBatch([[0, 0]], samplers)).toHaveLength(1);
    expect(counter.count).toBe(1);
  });

  it('is refused twice in one chain, where it would be told every id twice', () => {
    const counter = new Counter();
    expect(() => new ProcessorChain([counter, new TopK({ k: 1 }), counter])).toRefuse(
      'ProcessorChain: `steps[2]` must be in the chain once, as it has a state, got "counter"',
    );
    expect(() => createSampler({}, { before: [counter, counter] })).toThrow('`steps[1]` must be in the chain once');
  });

  it('is free again where the sampler that asked for it was refused', () => {
    const step = zeroThenOne();
    expect(() => createSampler({}, { before: [step], history: [1] })).toThrow('one that may come next');
    expect(() => createSampler({}, { before: [step], history: [-1] })).toThrow('history[0]');
    const free = new Counter();
    expect(() => createSampler({}, { before: [free, step], history: [1] })).toThrow('one that may come next');
    const told = note('told', [], { stage: 'scores', accept: () => {} });
    expect(() => createSampler({}, { before: [told, step], history: [1] })).toThrow('one that may come next');
    expect(() => createSampler({}, { before: [told] })).toRefuse(alone('Sampler', 'told')); // it cannot go back
    expect(createSampler({}, { before: [free, step] }).sample([0, 0]).id).toBe(0);
  });

  it('stays with the steps that were free where one of a chain is not', () => {
    const [taken, free] = [new Counter(), new Counter()];
    createSampler({}, { before: [taken] });
    expect(() => createSampler({}, { before: [free, taken] })).toRefuse(alone('Sampler', 'counter'));
    createSampler({}, { before: [free] });
  });

  it('is refused by the request that comes after, with what to do', async () => {
    const before = [zeroThenOne()];
    expect((await generate(flat(), letters, 'a', { max_tokens: 3 }, { before })).text).toBe('abb');
    expect(() => generate(flat(), letters, 'a', { max_tokens: 3 }, { before })).toRefuse(
      alone('Sampler', 'zero-then-one'),
    );
    expect((await generate(flat(), letters, 'a', { max_tokens: 3 }, { before: [zeroThenOne()] })).text).toBe('abb');
  });

  it('is not taken by a request that is refused', async () => {
    const before = [zeroThenOne()];
    const long = new Array<number>(60).fill(0);
    const refused = [
      () => generate(flat(), letters, long, {}, { before }),
      () => generate(flat(), letters, 'a', { min_tokens: 3, max_tokens: 2 }, { before }),
      () => generateSpeculative(flat(), letters, long, {}, { before, drafter: new ModelDrafter(flat()) }),
      () => generateChoices(flat(), letters, 'a', { n: 2 }, { before }),
    ];
    for (const call of refused) expect(call).toThrow();
    const draws = { ...note('draws', [], { draws: 1, stage: 'scores' }) };
    expect(() =>
      generateSpeculative(flat(), letters, 'a', {}, { before: [...before, draws], drafter: new ModelDrafter(flat()) }),
    ).toThrow('chain.draws');
    expect((await generate(flat(), letters, 'a', { max_tokens: 3 }, { before })).text).toBe('abb');
  });

  it.each([
    { where: 'before', options: () => ({ before: [zeroThenOne()] }) },
    { where: 'the chain', options: () => ({ chain: new ProcessorChain([zeroThenOne()]) }) },
  ])('in `$where` is refused to a second request of a group', async ({ options }) => {
    const request = { prompt: 'a', params: { max_tokens: 3 }, options: options() };
    const [first, second] = await generateMany(flat(), letters, [request, request]);
    expect(first).toMatchObject({ value: { text: 'abb' } });
    expect(second).toMatchObject({ reason: { message: alone('Sampler', 'zero-then-one') } });
    expect(() => generateChoices(flat(), letters, 'a', { n: 2 }, options())).toRefuse(
      'generateChoices: `zero-then-one` must be without a state where several texts have it (give the chain as data), got "a step with a state"',
    );
    const [only] = await generateChoices(flat(), letters, 'a', { n: 1, max_tokens: 3 }, options());
    expect(only?.text).toBe('abb');
  });

  it('is refused to target and draft of one speculation', async () => {
    const step = zeroThenOne();
    const drafter = new ModelDrafter(flat(), {}, { before: [step] });
    const run = generateSpeculative(flat(), letters, 'a', { max_tokens: 3 }, { before: [step], drafter });
    await expect(run).rejects.toThrow(alone('ModelDrafter', 'zero-then-one'));
  });

  it('of a drafter serves one request', async () => {
    const drafter = new ModelDrafter(flat(), {}, { before: [zeroThenOne()] });
    const run = () =>
      generateSpeculative(flat(), letters, 'a', { max_tokens: 3 }, { before: [zeroThenOne()], drafter });
    expect((await run()).text).toBe('abb');
    await expect(run()).rejects.toThrow(alone('ModelDrafter', 'zero-then-one'));
  });

  it('is lent to a beam search until it ends', async () => {
    const before = [zeroThenOne()];
    const steps = beamSteps(flat(), [0], { num_beams: 2, max_tokens: 3 }, { before });
    await steps.next();
    await expect(beamSearch(flat(), [0], { num_beams: 2, max_tokens: 3 }, { before })).rejects.toThrow(
      alone('beamSearch', 'zero-then-one'),
    );
    expect(() => createSampler({}, { before })).toRefuse(alone('Sampler', 'zero-then-one'));
    await steps.return(undefined as never);
    const { sequences } = await beamSearch(flat(), [0], { num_beams: 2, max_tokens: 3 }, { before });
    expect(sequences[0]?.ids).toEqual([0, 1, 1]);
    expect(createSampler({}, { before }).sample([0, 0]).id).toBe(0);
    expect(() => beamSteps(flat(), [0], { num_beams: 2 }, { before })).toRefuse(alone('beamSearch', 'zero-then-one'));
  });

  it('is refused to a restored request that is given the one of another', () => {
    const step = zeroThenOne();
    const saved = saveSampler(createSampler({ seed: 1 }, { before: [step] }));
    expect(() => restoreSampler(saved, { container: createContainer(), steps: [step] })).toRefuse(
      alone('Sampler', 'zero-then-one'),
    );
    expect(restoreSampler(saved, { container: createContainer(), steps: [zeroThenOne()] }).sample([0, 0]).id).toBe(0);
  });
});

it('a constraint is refused by a second step (S1)', () => {
  const constraint = constraintFrom(() => [0], []);
  new Constrained(constraint);
  expect(() => new Constrained(constraint)).toRefuse(
    'Constrained: `constraint` must be one of its own (make one for each step), got "one that another step has"',
  );
});

describe('a step without a state (S1)', () => {
  it('may be shared, and stand twice in a chain', () => {
    const hot = new Temperature({ temperature: 2 });
    const plain: LogitsProcessor = note('plain', [], { save: () => null, restore: () => {} });
    const chain = new ProcessorChain([hot, plain, hot]);
    for (const seed of [1, 2]) createSampler({ seed }, { chain }).sample([0, 1]);
  });
});
