/**
 * What speculation says of what it cannot take, word for word, and what is allowed beside it.
 */
import { describe, expect, it } from 'vitest';
import type { TokenEvent } from '../../../src/decode/index.js';
import { ModelDrafter } from '../../../src/decode/speculation/model-drafter.js';
import { SpeculationCounter } from '../../../src/decode/speculation/statistics.js';
import { generateSpeculative, ProcessorChain } from '../../../src/index.js';
import { PieceTokenizer, ScriptedModel } from '../../support/scripted-model.js';
import { BlockModel } from './block-model.js';
import { ScriptedDrafter } from './scripted-drafter.js';

const letters = new PieceTokenizer(['a', 'b', 'c']);
const model = () => new BlockModel(() => Float32Array.of(2, 1, 0));
const none = () => ScriptedDrafter.blocks([]);

describe('generateSpeculative', () => {
  const coin = { name: 'coin', draws: 1, process: () => {} };

  it.each<[object, object, string]>([
    [{}, { chain: new ProcessorChain([coin]) }, '`chain.draws` must be 0, no step that draws, got 1'],
    [{ n: 2 }, {}, '`n` must be 1, got 2'],
    [{ echo: true }, {}, '`echo` must be false, got true'],
    [{}, { drafter: {} }, '`drafter` must be an object with `open`, got {}'],
    [{}, { drafter: undefined }, '`drafter` must be an object with `open`, got undefined'],
    [{}, { draftTokens: 0 }, '`draftTokens` must be an integer >= 1, got 0'],
    [{}, { draftTokens: 1.5 }, '`draftTokens` must be an integer >= 1, got 1.5'],
    [{}, { whenFull: 'slide' }, '`whenFull` must be `stop`: a block does not slide, got "slide"'],
  ])('refuses %o with %o before the model is asked', (params, options, message) => {
    const asked = model();
    const start = () => generateSpeculative(asked, letters, 'a', params, { drafter: none(), ...options } as never);
    expect(start).toRefuse(`generateSpeculative: ${message}`);
    expect(asked.calls).toEqual([]);
  });

  it('takes a block of one id, and `whenFull` where it is what happens anyway', async () => {
    const drafter = new ScriptedDrafter((_, count) => Array.from({ length: count }, () => ({ id: 0 })));
    const options = { drafter, draftTokens: 1, whenFull: 'stop' } as const;
    const { ids } = await generateSpeculative(model(), letters, 'a', { temperature: 0, max_tokens: 4 }, options);
    expect(ids).toEqual([0, 0, 0, 0]);
    expect(new Set(drafter.asked)).toEqual(new Set([1]));
  });

  it('is iterated and awaited once, and says who it is where it is iterated when it is over', async () => {
    const generation = generateSpeculative(model(), letters, 'a', { max_tokens: 2, seed: 1 }, { drafter: none() });
    await generation;
    expect(() => generation[Symbol.asyncIterator]()).toThrow('SpeculativeGeneration');
  });

  it('streams no empty piece', async () => {
    const euro = [0xe2, 0x82, 0xac];
    const tokenizer = new PieceTokenizer([euro.slice(0, 1), euro.slice(1, 2), euro.slice(2)]);
    const inTurn = new BlockModel((ids) => Float32Array.from([0, 1, 2], (id) => (id === ids.length % 3 ? 9 : 0)));
    const params = { temperature: 0, max_tokens: 5 };
    const generation = generateSpeculative(inTurn, tokenizer, [0, 1, 2], params, { drafter: none() });
    const pieces: string[] = [];
    for await (const piece of generation.toReadableStream() as unknown as AsyncIterable<string>) pieces.push(piece);
    expect(pieces).toEqual(['€', '\ufffd']);
  });
});

describe('the events of a speculative generation', () => {
  async function eventsOf(params: object) {
    const request = { temperature: 0, max_tokens: 2, ...params };
    const events = [];
    for await (const event of generateSpeculative(model(), letters, 'a', request, { drafter: none() }))
      events.push(event);
    return events;
  }

  it('have the likeliest ids only where they were asked for', async () => {
    for (const event of await eventsOf({})) expect(event).not.toHaveProperty('topLogprobs');
    const [first] = await eventsOf({ logprobs: 2 });
    expect((first as TokenEvent).topLogprobs?.map(({ id }) => id)).toEqual([0, 1]);
  });

  it('end with the time that it took, and the tokens of a second', async () => {
    const end = (await eventsOf({})).at(-1) as { timing: { seconds: number; tokens_per_second: number } };
    expect(end.timing).toEqual({ seconds: expect.any(Number), tokens_per_second: expect.any(Number) });
  });
});

describe('SpeculationCounter', () => {
  it('gives 0 for the rates before anything was drafted or asked', () => {
    expect(new SpeculationCounter().snapshot()).toMatchObject({ acceptanceRate: 0, tokensPerCall: 0 });
  });

  it('counts verdicts, a token behind a draft as a bonus, and one behind none as undrafted', () => {
    const counter = new SpeculationCounter();
    counter.addDraft(4);
    counter.addCall();
    counter.addVerdict({ id: 1, isAccepted: true });
    counter.addVerdict({ id: 1, isAccepted: false });
    for (const length of [0, 1, 3]) counter.addSample(length);
    expect(counter.snapshot()).toEqual({
      ...{ drafted: 4, verified: 2, accepted: 1, resampled: 1, bonus: 2, undrafted: 1, targetCalls: 1 },
      ...{ acceptanceRate: 0.25, tokensPerCall: 5 },
    });
  });
});

describe('ModelDrafter', () => {
  const request = { prompt: [0], vocabSize: 3, endIds: [], uniform: () => 0 };

  it.each([
    ['seed', 1],
    ['max_tokens', 5],
    ['logprobs', 2],
  ])('refuses `%s`, which belongs to the request', (name, value) => {
    expect(() => new ModelDrafter(model(), { [name]: value })).toRefuse(
      `ModelDrafter: \`${name}\` must be a parameter of the request, not of its drafts, got ${value}`,
    );
  });

  it('closes its session once, when it is closed, and cuts back nothing that was accepted', async () => {
    const small = new ScriptedModel(3, 20, [], () => [2, 1, 0]);
    const session = await new ModelDrafter(small, { temperature: 0 }).open(request);
    const draft = await session.propose(2);
    await session.accept([...draft.map(({ id }) => id), 1]);
    expect(small.truncations).toEqual([]);
    await session.close?.();
    expect([small.opened, small.closed]).toEqual([1, 1]);
  });

  it('takes a model whose sessions have no `close`', async () => {
    const logits = Float32Array.of(2, 1, 0);
    const open = () => {
      let length = 0;
      const append = (ids: readonly number[]) => {
        length += ids.length;
        return logits;
      };
      return {
        get length() {
          return length;
        },
        append,
        truncate: (to: number) => {
          length = to;
        },
      };
    };
    const bare = { vocabSize: 3, contextLength: 20, endIds: [], open };
    const drafter = new ModelDrafter(bare, { temperature: 0 });
    const params = { temperature: 0, max_tokens: 4 };
    const { ids } = await generateSpeculative(bare, letters, 'a', params, { drafter });
    expect(ids).toEqual([0, 0, 0, 0]);
  });
});
