/**
 * Every parameter reaches something: one that is in a schema, and that nothing reads, would be accepted and ignored.
 */

import { describe, expect, it } from 'vitest';
import {
  type Candidates,
  Processor,
  type ProcessorClass,
  processor,
  processorInfo,
  TopK,
} from '../../processors/index.js';
import { SPEC_STEPS } from '../../processors/spec-steps.js';
import * as z from '../../processors/zod.js';
import { makeProcessor } from '../../src/chain/registry.js';
import { beamChain } from '../../src/decode/beams/beam-chain.js';
import { beamParamsSchema, validateBeamParams } from '../../src/decode/beams/beam-params.js';
import { type GenerationParamsInput, generationParamsSchema } from '../../src/decode/generation-params.js';
import { generate, generateChoices, type ProcessorChain, SPEC_ORDER, SpecChain } from '../../src/index.js';
import { POLICY_PARAMS, paramsOfSteps } from '../../src/params/policy-params.js';
import { PieceTokenizer, ScriptedModel } from '../support/scripted-model.js';

const POLICY = POLICY_PARAMS.map((param) => [param.name, param] as const);

/** The steps that do something, with their options. */
function activeSteps(chain: ProcessorChain): { name: string; options: unknown }[] {
  return chain.steps.filter(({ active }) => active !== false).map(({ name, options }) => ({ name, options }));
}

describe('a parameter of the policy', () => {
  it('is off by default: no step is active', () => {
    expect(activeSteps(new SpecChain({}))).toEqual([]);
  });

  it.each(POLICY)(
    '%s, turned on, sets an option of one step, which is then active',
    (name, { on, off, option, step }) => {
      const [active, ...others] = activeSteps(new SpecChain({ [name]: on }));
      expect([active?.name, others]).toEqual([step.name, []]);
      expect(active?.options).toMatchObject({ [option]: on });
      expect(activeSteps(new SpecChain({ [name]: off }))).toEqual([]);
    },
  );

  it.each(POLICY)('%s reaches one step of a beam search', (name, { on, step }) => {
    const params = validateBeamParams({ num_beams: 2, do_sample: true, [name]: on });
    const chain = beamChain(params, [3], {}, makeProcessor);
    expect(chain.steps.map((one) => one.name)).toEqual([step.name]);
  });

  it('is of the steps that make the chain of the spec, in its order', () => {
    expect(SPEC_STEPS.map((step) => processorInfo(step).name)).toEqual(SPEC_ORDER);
    expect(new Set(POLICY_PARAMS.map(({ step }) => step.name))).toEqual(new Set(SPEC_ORDER));
  });
});

const LETTERS = new PieceTokenizer(['a', 'b', 'c', '', '']);

/** Prefers c, b, a, then the end id 3. */
function model(): ScriptedModel {
  return new ScriptedModel(5, 50, [3], () => [2, 2.5, 3, 1, -9], 4);
}

/** Everything that a generation says, but times. */
async function outcome(params: GenerationParamsInput): Promise<unknown> {
  const events: unknown[] = [];
  const run = generate(model(), LETTERS, [0], params);
  for await (const event of run) events.push({ ...event, timing: undefined });
  return { seed: run.seed, events };
}

async function texts(params: GenerationParamsInput): Promise<unknown> {
  const group = generateChoices(model(), LETTERS, [0], params);
  return (await group).map(({ text }) => text);
}

const ONE = { temperature: 0, max_tokens: 6, seed: 1 };

/** The parameters that no step honours: a value of each, and what it is beside. */
const OTHERS: Record<string, { on: GenerationParamsInput; beside?: GenerationParamsInput; run?: typeof outcome }> = {
  seed: { on: { seed: 2 }, beside: { temperature: 1 } },
  max_tokens: { on: { max_tokens: 2 } },
  stop: { on: { stop: ['cc'] } },
  logprobs: { on: { logprobs: 2 } },
  n: { on: { n: 3 }, run: texts },
  echo: { on: { echo: true } },
  logit_bias: { on: { logit_bias: { 2: -100 } } },
  min_tokens: { on: { min_tokens: 3 }, beside: { logit_bias: { 3: 100 } } },
  stop_waits: { on: { stop_waits: true }, beside: { stop: ['c'], min_tokens: 2 } },
  stop_token_ids: { on: { stop_token_ids: [2] } },
};

describe('a parameter that no step honours', () => {
  it.each(Object.entries(OTHERS))('%s changes what comes out', async (_, { on, beside, run = outcome }) => {
    const without = { ...ONE, ...beside };
    expect(await run({ ...without, ...on })).not.toEqual(await run(without));
    expect(await run(without)).toEqual(await run(without));
  });
});

describe('the schemas', () => {
  const reached = [...POLICY_PARAMS.map(({ name }) => name as string), ...Object.keys(OTHERS)].sort();

  it('of a generation have no parameter beside those', () => {
    expect(Object.keys(generationParamsSchema.shape).sort()).toEqual(reached);
  });

  it('of a beam search have every parameter of the policy', () => {
    const missing = POLICY_PARAMS.filter(({ name }) => !(name in beamParamsSchema.shape));
    expect(missing).toEqual([]);
  });
});

describe('a step that says its parameters', () => {
  const options = z.strictObject({ k: z.number(), other: z.optional(z.number()) });
  const param = { option: 'k', off: 0, on: 1, help: 'does something' };

  function said(params: unknown): ProcessorClass {
    @processor({ name: 'mine', options, stage: 'policy', params: params as never })
    class Mine extends Processor<typeof options> {
      process(_: Candidates): void {}
    }
    return Mine;
  }

  it('has them in what is known of its class', () => {
    expect(processorInfo(said({ my_k: param })).params).toEqual({ my_k: param });
    expect(processorInfo(TopK).params).toEqual({
      top_k: { option: 'k', off: 0, on: 40, help: 'keeps the k most likely' },
    });
  });

  it.each([
    [
      'an option that it does not have',
      { my_k: { ...param, option: 'kk' } },
      '`params.my_k.option` must be one of the options: k, other, got "kk"',
    ],
    [
      'an inherited name',
      { my_k: { ...param, option: 'toString' } },
      '`params.my_k.option` must be one of the options: k, other, got "toString"',
    ],
    [
      'a default that the option refuses',
      { my_k: { ...param, off: 'none' } },
      '`params.my_k.off` must be a value that the option k takes, got "none"',
    ],
    [
      'an example that is the default',
      { my_k: { ...param, on: 0 } },
      '`params.my_k.on` must be another value than `off`, got 0',
    ],
    ['a name of another form', { myK: param }, '`params` must be names in snake_case, got "myK"'],
    ['no help', { my_k: { ...param, help: '' } }, '`params.my_k.help` must be a non-empty string, got ""'],
    ['no object', 7, '`params` must be a plain object, got 7'],
  ])('is refused for %s', (_, params, message) => {
    expect(() => said(params)).toRefuse(`@processor: ${message}`);
  });

  it('is refused beside another one that says the same', () => {
    expect(() => paramsOfSteps([TopK, said({ top_k: param })])).toRefuse(
      'mine: `top_k` must be said by one step, got "two of them"',
    );
  });

  it('adds no parameter to a request where it is not one of the steps of the spec', () => {
    const reach = paramsOfSteps([said({ my_k: param })]);
    expect(reach.map(({ name, step }) => [name, step.name])).toEqual([['my_k', 'mine']]);
    expect(() => new SpecChain({ my_k: 1 } as never)).toThrow(/`my_k` must be absent/);
  });
});
