/** S5: a step that is not what the contract says is refused by name, and nothing is drawn or changed. */

import { ContainerModule } from 'inversify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  type Candidates,
  Constrained,
  constraintFrom,
  type LogitsProcessor,
  Processor,
  processor,
} from '../../processors/index.js';
import { createContainer, processorModule, processorToken } from '../../src/container/index.js';
import { beamSearch, createChain, createSampler, ProcessorChain, TopK } from '../../src/index.js';
import { ScriptedModel } from '../support/scripted-model.js';
import { Counter } from '../support/steps.js';

const plain = { name: 'mine', process: () => {} };

describe('a step that is asynchronous', () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  beforeEach(() => void process.on('unhandledRejection', note));
  afterEach(() => void process.off('unhandledRejection', note));

  it('in `process` is refused, nothing is drawn, and what it comes to is nobody else`s error', async () => {
    const late = {
      name: 'late',
      process: async (candidates: Candidates) => {
        candidates.keepBest(1);
        await Promise.resolve();
        throw new Error('too late');
      },
    };
    const counter = new Counter();
    const sampler = createSampler({ seed: 1 }, { chain: new ProcessorChain([counter, late as never]) });
    expect(() => sampler.sample([1, 2, 3])).toRefuse(
      'late (step 2 of 2): `process` must be synchronous, as the candidates are lent for the call, got a Promise',
    );
    expect([sampler.draws, sampler.history.output, counter.count]).toEqual([0, [], 0]);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(unhandled).toEqual([]);
  });

  it('with any `then` is refused', () => {
    // biome-ignore lint/suspicious/noThenProperty: that is what is refused
    const step = { name: 'thenable', process: () => ({ then: () => {} }) };
    const sampler = createSampler({ seed: 1 }, { chain: new ProcessorChain([step as never]) });
    expect(() => sampler.sample([1, 2])).toThrow('thenable (step 1 of 1): `process` must be synchronous');
  });

  it('in `accept` is refused: neither history nor stream nor the other steps move', () => {
    const counter = new Counter();
    const step = { ...plain, name: 'late', accept: async () => {} } as never;
    const sampler = createSampler({ seed: 1 }, { chain: new ProcessorChain([counter, step]) });
    const message = 'late: `accept` must be synchronous, as the next token follows at once, got a Promise';
    expect(() => sampler.sample([1, 2, 3])).toRefuse(message);
    expect(() => sampler.accept(1)).toRefuse(message);
    expect([sampler.draws, sampler.history.output, counter.count]).toEqual([0, [], 0]);
  });

  it('in `save` or `restore` is refused', async () => {
    const save = new ProcessorChain([{ ...plain, accept: () => {}, save: async () => 1, restore: () => {} } as never]);
    expect(() => save.save()).toRefuse('mine: `save` must be synchronous, as the state is that of now, got a Promise');
    const chain = new ProcessorChain([{ ...plain, accept: () => {}, save: () => 1, restore: async () => {} } as never]);
    const message = 'mine: `restore` must be synchronous, as the next token follows at once, got a Promise';
    expect(() => chain.restore([1])).toRefuse(message);
    const model = new ScriptedModel(2, 9, [], () => Float32Array.of(0, 0));
    await expect(beamSearch(model, [0], { num_beams: 2, max_tokens: 2 }, { chain })).rejects.toThrow(message);
  });
});

const NAME = 'a name in kebab-case, and not `logprobs`, which marks where logprobs are defined';

describe('a step with a name that no chain as data can hold', () => {
  it.each(['logprobs', 'Bad Name', 'TopK', 'top_k', '', '-a', 'a-', 'a--b', '1st', 'é', 'a b'])(
    '`%s` is refused',
    (name) => {
      const shown = JSON.stringify(name);
      expect(() => new ProcessorChain([{ ...plain, name }])).toRefuse(
        `ProcessorChain: \`steps[0].name\` must be ${NAME}, got ${shown}`,
      );
      expect(() => processor({ name, options: z.strictObject({}) as never, stage: 'policy' })).toRefuse(
        `@processor: \`name\` must be ${NAME}, got ${shown}`,
      );
      const step = new Constrained(
        constraintFrom(() => [0], []),
        { name: 'fine' },
      );
      expect(step.name).toBe('fine');
      expect(() => createSampler({}, { before: [{ ...plain, stage: 'scores', name }] })).toThrow(`must be ${NAME}`);
    },
  );

  it.each(['a', 'top-k', 'x2', 'ban-2-words', 'use'])('`%s` is taken', (name) => {
    expect(new ProcessorChain([{ ...plain, name }]).steps[0]?.name).toBe(name);
  });
});

describe('a step that the contract does not know', () => {
  it.each<[string, object, string]>([
    ['stage', { stage: 'polcy' }, '`steps[1].stage` must be `scores` or `policy`, got "polcy"'],
    ['stage', { stage: null }, '`steps[1].stage` must be `scores` or `policy`, got null'],
    ['draws', { draws: -1 }, '`steps[1].draws` must be an integer >= 0, got -1'],
    ['draws', { draws: 0.5 }, '`steps[1].draws` must be an integer >= 0, got 0.5'],
    ['draws', { draws: '1' }, '`steps[1].draws` must be an integer >= 0, got "1"'],
    ['active', { active: 0 }, '`steps[1].active` must be true or false, got 0'],
    ['options', { options: 5 }, '`steps[1].options` must be a plain object, got 5'],
    ['options', { options: [1] }, '`steps[1].options` must be a plain object, got [1]'],
    ['options', { options: null }, '`steps[1].options` must be a plain object, got null'],
    [
      'an option `use`',
      { options: { use: 'top-k', k: 1 } },
      '`steps[1].options.use` must be absent, as `use` names the processor in a chain as data, got "top-k"',
    ],
    ['accept', { accept: true }, '`steps[1].accept` must be a function, got true'],
    ['save', { save: {} }, '`steps[1].save` must be a function, got {}'],
    ['restore', { restore: null }, '`steps[1].restore` must be a function, got null'],
  ])('has a wrong `%s` (%o): refused', (_, part, message) => {
    expect(() => new ProcessorChain([new TopK({ k: 1 }), { ...plain, ...part } as never])).toRefuse(
      `ProcessorChain: ${message}`,
    );
  });

  it('is refused by the decorator: stage, draws, an option `use`', () => {
    const info = { name: 'mine', options: z.strictObject({}) as never, stage: 'policy' as const };
    expect(() => processor({ ...info, stage: 'polcy' as never })).toRefuse(
      '@processor: `stage` must be `scores` or `policy`, got "polcy"',
    );
    expect(() => processor({ ...info, draws: 1.5 })).toRefuse('@processor: `draws` must be an integer >= 0, got 1.5');
    const options = z.strictObject({ use: z.number(), k: z.number() }) as never;
    expect(() => processor({ ...info, options })).toRefuse(
      '@processor: `options.use` must be absent, as `use` names the processor in a chain as data, got "a field of the schema"',
    );
  });

  it('is refused where a container makes another one than the chain names', () => {
    const swap = new ContainerModule(({ bind }) => {
      bind(processorToken('swap')).toConstantValue(() => new TopK({ k: 1 }));
    });
    expect(() => createChain([{ use: 'swap' }], { container: createContainer(swap) })).toRefuse(
      'ProcessorChain: `chain[0].use` must be the name of the processor that it makes, "top-k", got "swap"',
    );
  });

  it('is one of a class too', () => {
    const options = z.strictObject({}) as never;
    class Mine extends Processor<never> {
      process(): void {}
    }
    processor({ name: 'mine', options, stage: 'policy' })(Mine as never);
    const chain = createChain([{ use: 'mine' }], { container: createContainer(processorModule(Mine as never)) });
    expect((chain.steps[0] as LogitsProcessor).name).toBe('mine');
  });
});
