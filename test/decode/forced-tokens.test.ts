/**
 * Tokens that need no logits: where a constraint leaves one id, the model is not asked, and nothing else is different.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Constrained } from '../../processors/constraints/constrained.js';
import { constraintFrom } from '../../processors/constraints/from-allowed.js';
import type { LogitsProcessor } from '../../processors/index.js';
import {
  type GenerateEvent,
  type Generation,
  type GenerationParamsInput,
  generate,
  generateChoices,
  ProcessorChain,
  restoreGeneration,
  TopK,
} from '../../src/index.js';
import { PieceTokenizer, ScriptedModel } from '../support/scripted-model.js';

const V = 40;
const END = 0;
const tokenizer = new PieceTokenizer(
  Array.from({ length: V }, (_, id) => (id === 7 ? [0xe2, 0x82] : 'abcdefghij'[id % 10]) as string | number[]),
);

/** A number that looks random, by what it is made of. */
function hash(...words: readonly number[]): number {
  let h = 2166136261;
  for (const word of words) h = Math.imul(h ^ (word + 1), 16777619) ^ (h >>> 13);
  return h >>> 0;
}

/** A language with one id at about two of three places; it ends by and by. */
function language(seed: number) {
  return (ids: readonly number[]): readonly number[] => {
    const h = hash(seed, ids.length, ...ids.slice(-2));
    if (ids.length > 3 && h % 11 === 0) return [END];
    const first = 1 + (h % (V - 1));
    return h % 3 === 0 ? [first, 1 + (hash(h) % (V - 1)), ...(ids.length > 5 ? [END] : [])] : [first];
  };
}

/** The step, knowing the only id or not. */
function step(seed: number, knows: boolean): LogitsProcessor {
  const inner = new Constrained(constraintFrom(language(seed), [END]));
  if (knows) return inner;
  return {
    name: inner.name,
    stage: 'scores',
    leavesOne: true,
    options: inner.options,
    process: (candidates) => inner.process(candidates),
    accept: (id) => inner.accept(id),
    save: () => inner.save(),
    restore: (state) => inner.restore(state),
  };
}

function newModel(seed: number, contextLength = 60): ScriptedModel {
  const logits = (ids: readonly number[]) =>
    Array.from({ length: V }, (_, id) => (hash(seed, id, ...ids) % 6000) / 1000);
  return new ScriptedModel(V, contextLength, [END], logits, 3);
}

interface Case {
  readonly seed: number;
  readonly params: GenerationParamsInput;
  readonly whenFull: 'stop' | 'slide';
  readonly contextLength: number;
}

const cases: fc.Arbitrary<Case> = fc.record({
  seed: fc.nat(),
  whenFull: fc.constantFrom('stop', 'slide'),
  contextLength: fc.constantFrom(6, 9, 60),
  params: fc.record(
    {
      seed: fc.nat(),
      temperature: fc.constantFrom(0, 0.7, 1.3),
      top_k: fc.nat(5),
      top_p: fc.constantFrom(0.5, 0.9),
      min_p: fc.constantFrom(0.1, 1),
      repetition_penalty: fc.constantFrom(0.5, 1.3),
      frequency_penalty: fc.constantFrom(-1, 0.7),
      logit_bias: fc.constantFrom({ 3: 5 }, { 5: -100, 6: -100 }),
      min_tokens: fc.nat(6),
      max_tokens: fc.integer({ min: 6, max: 20 }),
      stop: fc.constantFrom(['ab'], ['j', 'hh']),
      stop_token_ids: fc.constantFrom([9], [4, 5]),
      logprobs: fc.nat(3),
      echo: fc.boolean(),
    },
    { requiredKeys: ['seed'] },
  ),
});

function begin({ seed, params, whenFull, contextLength }: Case, knows: boolean) {
  const model = newModel(seed, contextLength);
  const generation = generate(model, tokenizer, [1, 2], params, { before: [step(seed, knows)], whenFull });
  return { model, generation };
}

/** An event without what says how it was come by. */
function plain(event: GenerateEvent): object {
  if (event.type !== 'end') return event;
  const { timing, usage, ...rest } = event;
  return { ...rest, usage: { ...usage, forced_tokens: undefined } };
}

/** All events, and the draws; what it failed with, as the last. */
async function run(generation: Generation): Promise<object[]> {
  const events: object[] = [];
  try {
    for await (const event of generation) events.push(plain(event));
  } catch (error) {
    events.push({ failed: String(error) });
  }
  const { draws, output, states } = generation.save().sampler;
  return [...events, { draws, output, states }];
}

describe('tokens that need no logits', () => {
  it('have the same events, draws and refusals as if the model were asked, with fewer calls', async () => {
    let [asked, forced] = [0, 0];
    await fc.assert(
      fc.asyncProperty(cases, async (given) => {
        const [plainly, quickly] = [begin(given, false), begin(given, true)];
        expect(await run(quickly.generation)).toEqual(await run(plainly.generation));
        asked += plainly.model.appended.length;
        forced += plainly.model.appended.length - quickly.model.appended.length;
      }),
      { numRuns: 150 },
    );
    expect(forced).toBeGreaterThan(asked / 4);
  });

  it('are the same after a restore, wherever it was saved', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async (given) => {
        const whole = await run(begin(given, true).generation);
        for (let count = 0; count < whole.length; count++) {
          const { generation } = begin(given, true);
          const events = generation[Symbol.asyncIterator]();
          const before: object[] = [];
          try {
            for (let i = 0; i < count; i++) {
              const { value } = await events.next();
              if (value !== undefined) before.push(plain(value));
            }
          } catch {
            return; // it failed, as the whole did
          }
          const state = JSON.parse(JSON.stringify(generation.save()));
          await events.return();
          const model = newModel(given.seed, given.contextLength);
          const restored = restoreGeneration(model, tokenizer, state, { steps: [step(given.seed, true)] });
          if (before.at(-1)?.constructor === Object && (before.at(-1) as { type?: string }).type === 'end') continue;
          expect([...before, ...(await run(restored))]).toEqual(whole);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('go to the model in one call, with the next id that it is asked after', async () => {
    const allowed = (ids: readonly number[]) => [[1], [2], [3], [4, 5], [6], [END]][ids.length] ?? [];
    const model = newModel(1);
    const before = [new Constrained(constraintFrom(allowed, [END]))];
    const result = await generate(model, tokenizer, [8, 9], { seed: 5, temperature: 1 }, { before });
    expect(result.ids.slice(0, 3)).toEqual([1, 2, 3]);
    expect(model.appended).toEqual([[3, 8, 9, 1, 2, 3]]);
    expect(result.usage).toEqual({ prompt_tokens: 2, completion_tokens: 5, forced_tokens: 4 });
    expect(result.logprobs.slice(0, 3)).toEqual([0, 0, 0]);
    expect(result.entropies.slice(0, 3)).toEqual([0, 0, 0]);
  });

  it('are counted over a restore', async () => {
    const make = () => [new Constrained(constraintFrom(() => [4], [END]))];
    const first = generate(newModel(1), tokenizer, [8], { max_tokens: 5, seed: 1 }, { before: make() });
    const events = first[Symbol.asyncIterator]();
    await events.next();
    await events.next();
    const restored = restoreGeneration(newModel(1), tokenizer, first.save(), { steps: make() });
    expect((await restored).usage.forced_tokens).toBe(5);
    expect((await first).usage.forced_tokens).toBe(5);
  });

  it('take a uniform each, none when greedy, and those that other steps declare', async () => {
    const draws = async (temperature: number, drawing: number) => {
      const draw: LogitsProcessor = {
        name: 'draws',
        leavesOne: true,
        draws: drawing,
        process: (_, { uniform }) => {
          for (let i = 0; i < drawing; i++) uniform();
        },
      };
      const constrained = new Constrained(constraintFrom(() => [4], [END]));
      const settle: LogitsProcessor = { name: 'greedy', leavesOne: true, process: (c) => c.settle(c.idAtRank(0)) };
      const chain = new ProcessorChain([constrained, draw, ...(temperature === 0 ? [settle] : [])]);
      const model = newModel(1);
      const generation = generate(model, tokenizer, [8], { max_tokens: 5, seed: 1 }, { chain });
      await generation;
      expect(model.appended).toEqual([]);
      return generation.save().sampler.draws;
    };
    expect([await draws(1, 0), await draws(0, 0), await draws(1, 2), await draws(0, 2)]).toEqual([5, 0, 15, 10]);
  });

  it('are asked for where a step might look at logits: one of a filter in front, one after, one behind the tap', async () => {
    const constrained = () => new Constrained(constraintFrom(() => [4], [END]));
    const own: LogitsProcessor = { name: 'own', process: () => {} };
    const chains = [
      new ProcessorChain([constrained(), own]),
      new ProcessorChain([own, constrained()], { tap: 2 }),
      new ProcessorChain([new TopK({ k: V }), constrained()], { tap: 2 }),
      new ProcessorChain([constrained()], { tap: 0 }),
    ];
    for (const chain of chains) {
      const model = newModel(1);
      const result = await generate(model, tokenizer, [8], { max_tokens: 3, seed: 1 }, { chain });
      expect(model.appended.length).toBe(3);
      expect(result.usage).toEqual({ prompt_tokens: 1, completion_tokens: 3 });
    }
  });

  it('are the same in several texts at once', async () => {
    const chain = [{ use: 'allowed-tokens', ids: [4] }];
    const results = await generateChoices(newModel(1), tokenizer, [8], { n: 2, max_tokens: 3, seed: 1 }, { chain });
    expect(results.map(({ ids }) => ids)).toEqual([
      [4, 4, 4],
      [4, 4, 4],
    ]);
  });

  it.each([V, -1, 1.5, 'a', Promise.resolve(4)])('are refused where a step says that %s is left', async (only) => {
    const step = { name: 'liar', stage: 'scores', leavesOne: true, only: () => only, process: () => {} } as const;
    const chain = new ProcessorChain([step as unknown as LogitsProcessor]);
    await expect(generate(newModel(1), tokenizer, [8], { max_tokens: 2 }, { chain })).rejects.toThrow(
      /^liar: `only` must be/,
    );
  });

  it('are asked for after all where another step refuses the only id, and then refused as ever', async () => {
    const constrained = new Constrained(constraintFrom(() => [END], [END]));
    const model = newModel(1);
    const params = { min_tokens: 2, seed: 1 };
    await expect(generate(model, tokenizer, [8], params, { before: [constrained] })).rejects.toThrow(
      'Constrained (step',
    );
    expect(model.appended.length).toBe(1);
  });

  it('end when the signal is aborted, though the model is never asked', async () => {
    const controller = new AbortController();
    const options = { before: [new Constrained(constraintFrom(() => [4], [END]))], signal: controller.signal };
    const generation = generate(newModel(1, 1e9), tokenizer, [8], { max_tokens: 1e9, seed: 1 }, options);
    setTimeout(() => controller.abort(new Error('enough')), 0);
    await expect(
      (async () => {
        for await (const _ of generation);
      })(),
    ).rejects.toThrow('enough');
  });
});
