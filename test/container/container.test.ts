import { ContainerModule } from 'inversify';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type Candidates,
  type LogitsProcessor,
  PROCESSORS,
  Processor,
  processor,
  processorInfo,
  share,
} from '../../processors/index.js';
import { createContainer, PARTS, processorModule, processorToken } from '../../src/container/index.js';
import {
  createChain,
  createSampler,
  MinP,
  ProcessorChain,
  restoreSampler,
  SpecChain,
  saveSampler,
  TopK,
} from '../../src/index.js';
import { defaultNumerics, engineNumerics, type Numerics } from '../../src/numerics/index.js';
import { Pcg32 } from '../../src/random/index.js';
import { partsOf } from '../../src/request/parts.js';
import { requestRng, tokenLogprobs } from '../../src/spec.js';
import { MOD_3, randomOptions } from '../laws/random-options.js';
import { Scripted } from '../support/scripted.js';
import { note } from '../support/steps.js';

const NAMES = [
  ...['allowed-tokens', 'banned-tokens', 'bad-words', 'suppress-at-begin', 'min-tokens', 'forced-end'],
  ...['no-repeat-ngram', 'min-length', 'forced-begin', 'encoder-no-repeat-ngram'],
  ...['logit-bias', 'text-bias', 'sequence-bias'],
  ...['recent-repetition', 'recent-presence-frequency', 'encoder-repetition', 'dry', 'exponential-decay-length'],
  ...['mirostat', 'mirostat-v2', 'adaptive-p'],
  ...['thinking-budget', 'whisper-timestamps', 'forced-trace', 'infill'],
  ...['green-list', 'synth-id'],
  ...['dynamic-temperature', 'quadratic-smoothing', 'log-softmax'],
  ...['typical', 'epsilon', 'eta', 'top-a', 'tail-free', 'top-n-sigma', 'top-h', 'p-less', 'p-less-norm'],
  ...['xtc', 'xtc-mixture'],
  ...['repetition-penalty', 'presence-frequency', 'temperature', 'top-k', 'top-p', 'min-p'],
  'grammar',
];

const topSquareOptions = z.strictObject({ a: share() });

/** Keeps the ids with q >= a * (max q)^2. */
@processor({ name: 'top-square', options: topSquareOptions, stage: 'policy' })
class TopSquare extends Processor<typeof topSquareOptions> {
  process(candidates: Candidates): void {
    const top = candidates.maxProbability();
    candidates.keepIds((_, index) => candidates.probabilityAt(index) >= this.options.a * top * top);
  }
}

/** Takes the place of top-k: keeps one id, whatever k. */
@processor({ name: 'top-k', options: z.strictObject({ k: z.number() }), stage: 'policy' })
class TopOne extends Processor<z.ZodObject<{ k: z.ZodNumber }>> {
  process(candidates: Candidates): void {
    candidates.keepBest(1);
  }
}

describe('createContainer', () => {
  it('has every processor that is shipped, by its name', () => {
    const container = createContainer();
    expect(container.getAll(PARTS.processorName)).toEqual(NAMES);
    for (const name of NAMES) expect(container.isBound(processorToken(name))).toBe(true);
    expect(PROCESSORS).toHaveLength(NAMES.length - 1); // `grammar` is made by the request's grammars
    const made = container.get(processorToken('top-k'))({ k: 3 });
    expect(made).toBeInstanceOf(TopK);
    expect(made.options).toEqual({ k: 3 });
    expect(container.get(PARTS.makeProcessor)('min-p', { m: 0.5 })).toBeInstanceOf(MinP);
  });

  it('checks the options of what it makes', () => {
    const make = createContainer().get(PARTS.makeProcessor);
    expect(() => make('top-p', { p: 2 })).toRefuse('TopP: `p` must be a number in (0, 1], got 2');
  });

  it('refuses a name that is not registered, and says which are', () => {
    const own = createContainer(processorModule(TopSquare));
    expect(() => createContainer().get(PARTS.makeProcessor)('top-square', {})).toRefuse(
      `ProcessorChain: \`use\` must be one of ${NAMES.join(', ')}, got "top-square"`,
    );
    expect(() => own.get(PARTS.makeProcessor)('top-b', {})).toRefuse(
      `ProcessorChain: \`use\` must be one of ${NAMES.join(', ')}, top-square, got "top-b"`,
    );
  });

  it('has the exact numerics, in WebAssembly where there is one, and the sample stream', () => {
    const container = createContainer();
    expect(container.get(PARTS.numerics)).toBe(defaultNumerics());
    const uniforms = container.get(PARTS.uniforms)(17);
    expect(uniforms).toBeInstanceOf(Pcg32);
    expect((uniforms as Pcg32).save()).toEqual(requestRng(17).save());
  });

  it('makes containers that know nothing of one another', () => {
    const own = createContainer(processorModule(TopSquare));
    expect(own.isBound(processorToken('top-square'))).toBe(true);
    expect(createContainer().isBound(processorToken('top-square'))).toBe(false);
    expect(() => createChain([{ use: 'top-square', a: 0.9 }])).toThrow('got "top-square"');
  });

  it('holds the very parts that are taken where nobody names a container', () => {
    const [held, shipped] = [partsOf(createContainer()), partsOf(undefined)];
    expect(held.numerics).toBe(shipped.numerics);
    expect(held.uniforms).toBe(shipped.uniforms);
    for (const target of PROCESSORS) {
      const options = randomOptions(processorInfo(target).options, new Pcg32(7, 7));
      const { name } = processorInfo(target);
      const things = { tokenizer: MOD_3 };
      const [made, plain] = [held.makerFor(things)(name, options), shipped.makerFor(things)(name, options)];
      expect(made).toBeInstanceOf(target);
      expect(made.constructor).toBe(plain.constructor);
      expect(made.options).toEqual(plain.options);
    }
    const known = [...PROCESSORS.map((target) => processorInfo(target).name), 'grammar'].join(', ');
    for (const { makerFor } of [held, shipped]) {
      expect(() => makerFor({})('top-q', {})).toRefuse(`ProcessorChain: \`use\` must be one of ${known}, got "top-q"`);
    }
  });
});

describe("a user's module", () => {
  it('adds a processor, for chains as data', () => {
    const container = createContainer(processorModule(TopSquare));
    const data = [{ use: 'logprobs' }, { use: 'top-square', a: 0.9 }];
    const chain = createChain(data, { container });
    expect(chain.steps[0]).toBeInstanceOf(TopSquare);
    expect(chain.toData()).toEqual(data);
    expect(() => createChain(data)).toThrow('got "top-square"');
    const sampler = createSampler({ seed: 1 }, { chain: data, container });
    for (let n = 0; n < 20; n++) expect(sampler.sample([3, 0, 0, 0]).id).toBe(0);
    const again = restoreSampler(saveSampler(sampler), { container });
    expect(again.sample([3, 0, 0, 0])).toEqual(sampler.sample([3, 0, 0, 0]));
    expect(container.getAll(PARTS.processorName)).toEqual([...NAMES, 'top-square']);
  });

  it('adds a processor that is a plain object', () => {
    const module = new ContainerModule(({ bind }) => {
      const force: LogitsProcessor = { name: 'force', process: (candidates) => candidates.settle(2) };
      bind(processorToken('force')).toConstantValue(() => force);
      bind(PARTS.processorName).toConstantValue('force');
    });
    const chain = createChain([{ use: 'force' }], { container: createContainer(module) });
    const sampler = createSampler({}, { chain });
    expect(sampler.sample([5, 5, 0]).id).toBe(2);
    expect(sampler.draws).toBe(0);
  });

  it('replaces a processor, in the spec chain too, and does not list it twice', () => {
    const container = createContainer(processorModule(TopOne));
    expect(container.getAll(PARTS.processorName)).toEqual(NAMES);
    const sampler = createSampler({ seed: 1, top_k: 3 }, { container });
    for (let n = 0; n < 20; n++) expect(sampler.sample([1, 1, 1]).id).toBe(0);
    const plain = createSampler({ seed: 1, top_k: 3 });
    const ids = Array.from({ length: 20 }, () => plain.sample([1, 1, 1]).id);
    expect(new Set(ids).size).toBe(3);
  });

  it('replaces the numerics', () => {
    const calls: string[] = [];
    const counted: Numerics = {
      ...engineNumerics,
      log: (x) => {
        calls.push('log');
        return engineNumerics.log(x);
      },
    };
    const module = new ContainerModule(({ rebind }) => {
      rebind(PARTS.numerics).toConstantValue(counted);
    });
    const container = createContainer(module);
    const token = createSampler({ seed: 1 }, { container }).sample([0, 1, 2]);
    expect(calls).toEqual(['log']);
    expect(token.logprob).toBeCloseTo(tokenLogprobs([0, 1, 2], {})[token.id] as number, 12);
    const saved = saveSampler(createSampler({ seed: 1 }, { container }));
    restoreSampler(saved, { container }).sample([0, 1, 2]);
    expect(calls).toEqual(['log', 'log']);
  });

  it('scripts the uniforms', () => {
    const seeds: unknown[] = [];
    const module = new ContainerModule(({ rebind }) => {
      rebind(PARTS.uniforms).toConstantValue((seed) => {
        seeds.push(seed);
        return new Scripted([0.1, 0.6, 0.9]);
      });
    });
    const sampler = createSampler({ seed: 12 }, { container: createContainer(module) });
    expect([0, 1, 2].map(() => sampler.sample([0, 0, 0, 0]).id)).toEqual([0, 2, 3]);
    expect(seeds).toEqual([12]);
  });
});

describe('createSampler', () => {
  it('takes a chain of processors, of data, or the spec chain by default', () => {
    expect(createSampler().chain).toBeInstanceOf(SpecChain);
    const chain = new ProcessorChain([new TopK({ k: 2 })]);
    expect(createSampler({}, { chain }).chain).toBe(chain);
    expect(createSampler({}, { chain: [{ use: 'top-k', k: 2 }] }).chain.toData()).toEqual(chain.toData());
  });

  it('reports the seed it was given, or chooses one', () => {
    expect(createSampler({ seed: 5 }).seed).toBe(5);
    expect(createSampler({ seed: 5n }).seed).toBe(5n);
    const seeds = Array.from({ length: 20 }, () => createSampler().seed);
    expect(new Set(seeds).size).toBe(20);
    const sampler = createSampler();
    const again = createSampler({ seed: sampler.seed });
    for (let n = 0; n < 10; n++)
      expect(again.sample(new Float32Array(50))).toEqual(sampler.sample(new Float32Array(50)));
  });

  it('puts masks in front', () => {
    const mask = note('mask', [], { stage: 'scores' });
    const sampler = createSampler({ seed: 1 }, { before: [mask] });
    expect(sampler.chain.steps[0]).toBe(mask);
    expect(sampler.chain.tap).toBe(3);
  });

  it('refuses parameters of policy beside a chain, which would be ignored', () => {
    const chain = new ProcessorChain([]);
    const message = (name: string, value: string) =>
      `createSampler: \`${name}\` must be a step of the chain given, got ${value}`;
    expect(() => createSampler({ top_p: 0.9 }, { chain })).toRefuse(message('top_p', '0.9'));
    expect(() => createSampler({ temperature: 0 }, { chain })).toRefuse(message('temperature', '0'));
    expect(() => createSampler({ repetition_penalty: 1.1 }, { chain: [] })).toRefuse(
      message('repetition_penalty', '1.1'),
    );
  });

  it('takes those of the request beside a chain, and those that are off', () => {
    const chain = new ProcessorChain([]);
    const params = { seed: 3, max_tokens: 5, stop: ['x'], logprobs: 2, top_p: 1, temperature: 1, top_k: undefined };
    expect(createSampler(params, { chain }).seed).toBe(3);
  });

  it('refuses masks beside a chain', () => {
    const before = [note('mask', [], { stage: 'scores' })];
    expect(() => createSampler({}, { chain: new ProcessorChain([]), before })).toThrow(
      'createSampler: `before` must be part of the chain given, got [',
    );
  });

  it('refuses wrong parameters, with a chain too', () => {
    const message = 'SamplingParams: `max_tokens` must be an integer >= 1, got 0';
    expect(() => createSampler({ max_tokens: 0 })).toRefuse(message);
    expect(() => createSampler({ max_tokens: 0 }, { chain: new ProcessorChain([]) })).toRefuse(message);
    expect(() => createSampler({}, { prompt: [-1] })).toRefuse('Sampler: `prompt[0]` must be an integer >= 0, got -1');
    expect(() => createSampler({}, { history: [-1] })).toRefuse(
      'Sampler: `history[0]` must be an integer >= 0, got -1',
    );
  });
});
