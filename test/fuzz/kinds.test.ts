/**
 * Slips and wrong kinds as people made them, each answered by name.
 */
import { runInNewContext } from 'node:vm';
import type { Container, ContainerModule } from 'inversify';
import { describe, expect, it } from 'vitest';
import { createContainer } from '../../src/container/index.js';
import { CandidateSet, Sampler, stream } from '../../src/core.js';
import { type Drafter, validateGeneration } from '../../src/decode/index.js';
import {
  createSampler,
  type GenerateOptions,
  generate,
  generateMany,
  generateSpeculative,
  InvalidValueError,
  ModelDrafter,
  ProcessorChain,
  PromptLookupDrafter,
  TopK,
} from '../../src/index.js';
import { sample } from '../../src/spec.js';
import { verify } from '../../src/verify/index.js';
import { PieceTokenizer, ScriptedModel } from '../support/scripted-model.js';

const tokenizer = new PieceTokenizer(['a', 'b', '']);
const model = new ScriptedModel(3, 50, [2], () => [1, 0, -1], 0);

type Any = never;

function text(options: object): unknown {
  return generate(model, tokenizer, [0], {}, options as GenerateOptions);
}

describe('an option that nobody knows (I3)', () => {
  it.each<[string, () => unknown, string]>([
    ['generate', () => text({ whenfull: 'slide' }), '`whenfull` must be absent (did you mean `whenFull`?'],
    ['createSampler', () => createSampler({}, { promt: [1] } as Any), '`promt` must be absent (did you mean `prompt`?'],
    [
      'createSampler',
      () => createSampler({}, { temperature: 0 } as Any),
      '`temperature` must be absent (the parameters are: ',
    ],
    [
      'generateSpeculative',
      () =>
        generateSpeculative(model, tokenizer, [0], {}, { drafter: new PromptLookupDrafter(), draft_tokens: 2 } as Any),
      '`draft_tokens` must be absent (did you mean `draftTokens`?',
    ],
    ['ModelDrafter', () => new ModelDrafter(model, {}, { rule: 'hf' } as Any), '`rule` must be absent'],
    ['ProcessorChain', () => new ProcessorChain([], { tab: 3 } as Any), '`tab` must be absent (did you mean `tap`?'],
  ])('is refused by %s', (owner, call, message) => {
    expect(call).toThrow(InvalidValueError);
    expect(call).toThrow(`${owner}: ${message}`);
  });

  it.each([null, '', 0, false])('is no way to leave a chain out: chain: %o', (chain) => {
    expect(() => createSampler({}, { chain } as Any)).toThrow(
      'createSampler: `chain` must be a ProcessorChain or an array of steps',
    );
    expect(() => text({ chain })).toThrow('generate: `chain` must be a ProcessorChain or an array of steps');
  });

  it('is no way to verify nothing', async () => {
    await expect(verify({ groups: [] })).rejects.toThrow('verify: `groups` must be not empty');
  });
});

describe('a value of a wrong kind (I4)', () => {
  const wrong: Drafter = { open: () => ({ propose: () => [null] as Any, accept: () => {} }) };

  it.each<[() => unknown, string]>([
    [
      () => (generate as Any as (...args: unknown[]) => unknown)(model, tokenizer),
      'generate: `prompt` must be a text or an array of ids',
    ],
    [() => text(null as Any), 'generate: `options` must be a plain object, got null'],
    [() => text({ before: {} }), 'generate: `before` must be an array of processors, got {}'],
    [() => text({ container: {} }), 'generate: `container` must be a container that `createContainer` made, got {}'],
    [() => text({ signal: {} }), 'generate: `signal` must be an AbortSignal, got {}'],
    [
      () => generate({} as Any, tokenizer, [0]),
      'generate: `model` must be a LanguageModel (with `vocabSize`, `open`, …), got {}',
    ],
    [
      () => generate(model, {} as Any, [0]),
      'generate: `tokenizer` must be a Tokenizer (with `encode` and `tokenBytes`), got {}',
    ],
    [
      () => new Sampler({ draws: Number.NaN, seed: -1 } as Any),
      'Sampler: `chain` must be a ProcessorChain, got undefined',
    ],
    [
      () => new Sampler({ chain: new ProcessorChain([]), seed: -1, uniforms: stream(1, 'sample') }),
      'Sampler: `seed` must be an integer in [0, 2^53)',
    ],
    [
      () => new Sampler({ chain: new ProcessorChain([]), seed: 1, uniforms: stream(1, 'sample'), draws: Number.NaN }),
      'Sampler: `draws` must be an integer >= 0, got NaN',
    ],
    [() => new ProcessorChain(5 as Any), 'ProcessorChain: `steps` must be an array of processors, got 5'],
    [() => new CandidateSet().keepIds(5 as Any), 'CandidateSet: `keep` must be a function, got 5'],
  ])('is refused by name: %s', (call, message) => {
    expect(call).toThrow(InvalidValueError);
    expect(call).toThrow(message);
  });

  it('in the place of a drafted token is refused when it comes', async () => {
    const run = generateSpeculative(model, tokenizer, [0], { max_tokens: 3 }, { drafter: wrong });
    await expect(Promise.resolve(run)).rejects.toThrow('`draft[0]` must be an object with an `id`');
  });

  it('in the place of a request has its error there', async () => {
    const [result] = await generateMany(model, tokenizer, [null as Any]);
    expect(result).toMatchObject({ status: 'rejected', reason: { parameter: 'requests[0]' } });
  });
});

describe('what comes of another realm (I4)', () => {
  it('is taken: arrays, typed arrays and objects', () => {
    const [params, options, logits, wide] = runInNewContext(
      `[{ temperature: 0, stop: ['x'] }, { prompt: [0], history: Int32Array.of(1), before: [] }, [0, 1, 2], Float32Array.of(0, 1, 2)]`,
    ) as [object, object, number[], Float32Array];
    expect(createSampler(params, options).sample(wide).id).toBe(2);
    expect(createSampler(params, options).sample(logits).id).toBe(2);
    expect(sample(wide, params, [], stream(1, 'sample')).id).toBe(2);
    expect(validateGeneration(params as Any).stop).toEqual(['x']);
    expect(validateGeneration(runInNewContext('({ logit_bias: new Map([[1, 2]]) })') as Any).logit_bias).toEqual({
      1: 2,
    });
    expect(new TopK(runInNewContext('({ k: 1 })') as Any).options).toEqual({ k: 1 });
  });

  it('is taken as a signal', () => {
    const { signal } = new AbortController();
    const foreign = { aborted: false, throwIfAborted: () => {}, addEventListener: () => {} };
    expect(() => text({ signal })).not.toThrow();
    expect(() => text({ signal: foreign })).not.toThrow();
  });
});

describe('another major version of inversify (I6)', () => {
  const install = 'this one is of another version: npm install inversify@8';

  it('is refused with what to install where its container is given', () => {
    const old = { createChild: () => {}, get: () => {}, isBound: () => true, load: () => {} } as Any as Container;
    const message = `a container that \`createContainer\` made; ${install}`;
    expect(() => createSampler({}, { container: old })).toThrow(`createSampler: \`container\` must be ${message}`);
    expect(() => text({ container: old })).toThrow(message);
  });

  it('is refused with what to install where its module is given', () => {
    const old = { id: 1, registry: () => {} } as Any as ContainerModule;
    expect(() => createContainer(old)).toThrow(
      `createContainer: \`modules[0]\` must be a ContainerModule of inversify 8; ${install}`,
    );
    expect(() => createContainer({} as Any)).toThrow('`modules[0]` must be a ContainerModule of inversify 8, got {}');
  });

  it('is told from a container that nothing was loaded into', () => {
    const empty = { get: () => {}, isBound: () => false } as Any as Container;
    expect(() => createSampler({}, { container: empty })).toThrow(
      '`container` must be a container that `createContainer` made, got',
    );
  });
});
