/**
 * What events and results of a generation have, and have not; when its session is freed; and its time.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { TokenEvent } from '../../src/decode/index.js';
import { Stopwatch } from '../../src/decode/run/stopwatch.js';
import { type GenerateEvent, generate } from '../../src/index.js';
import { PieceTokenizer, ScriptedModel, saying } from '../support/scripted-model.js';

const letters = new PieceTokenizer(['a', 'b', 'c']);
const flat = (endIds: readonly number[] = []) => new ScriptedModel(3, 20, endIds, () => [2, 1, 0]);

async function eventsOf(params: object): Promise<GenerateEvent[]> {
  const events: GenerateEvent[] = [];
  for await (const event of generate(flat(), letters, 'a', params)) events.push(event);
  return events;
}

describe('a result', () => {
  it('has the entropy of each token, as its event has', async () => {
    const params = { seed: 1, max_tokens: 3 };
    const tokens = (await eventsOf(params)).filter((event): event is TokenEvent => event.type === 'token');
    const { entropies } = await generate(flat(), letters, 'a', params);
    expect(entropies).toEqual(tokens.map(({ entropy }) => entropy));
    expect(entropies[0]).toBeGreaterThan(0);
  });

  it('says what stopped it only where something did', async () => {
    expect(await generate(flat(), letters, 'a', { max_tokens: 2 })).not.toHaveProperty('stopped_by');
    const { model, tokenizer } = saying(['a']);
    expect(await generate(model, tokenizer, [])).toHaveProperty('stopped_by', 1);
  });

  it('has the likeliest ids only where they were asked for', async () => {
    for (const event of await eventsOf({ max_tokens: 2 })) expect(event).not.toHaveProperty('topLogprobs');
    expect(await generate(flat(), letters, 'a', { max_tokens: 2 })).not.toHaveProperty('topLogprobs');
    const { topLogprobs } = await generate(flat(), letters, 'a', { max_tokens: 2, logprobs: 1, temperature: 0 });
    expect(topLogprobs?.map((top) => top.map(({ id }) => id))).toEqual([[0], [0]]);
  });
});

describe('the session of a generation', () => {
  it('is closed with the last event, though nobody asks for more', async () => {
    const model = flat();
    const events = generate(model, letters, 'a', { max_tokens: 2 })[Symbol.asyncIterator]();
    const types: (string | undefined)[] = [];
    const closed: number[] = [];
    for (let i = 0; i < 3; i++) {
      types.push((await events.next()).value?.type);
      closed.push(model.closed);
    }
    expect(types).toEqual(['token', 'token', 'end']);
    expect(closed).toEqual([0, 0, 1]);
  });
});

describe('Stopwatch', () => {
  afterEach(() => vi.restoreAllMocks());

  it('adds up the seconds of what it measures, and gives the rate over them', async () => {
    const times = [1000, 3000, 10_000, 12_000];
    vi.spyOn(performance, 'now').mockImplementation(() => times.shift() as number);
    const watch = new Stopwatch();
    expect(await watch.measure(async () => 'first')).toBe('first');
    expect([watch.seconds, watch.rate(4)]).toEqual([2, 2]);
    await watch.measure(async () => 'second');
    expect([watch.seconds, watch.rate(4)]).toEqual([4, 1]);
  });

  it('gives the rate 0 where no time passed', () => {
    expect(new Stopwatch().rate(5)).toBe(0);
  });
});

describe('a refusal of generate', () => {
  const start =
    (prompt: readonly number[], options: object = {}) =>
    () =>
      generate(new ScriptedModel(3, 2, [], () => [0, 0, 0]), letters, prompt, {}, options);

  it('is in its own name', () => {
    expect(start([])).toRefuse('generate: `prompt` must be not empty (the model has no begin token), got []');
    expect(start([0, 1, 2])).toRefuse('generate: `prompt` must be at most 2 ids (or slide when full), got 3');
    expect(start([0], { whenFull: 'drop' })).toRefuse('generate: `whenFull` must be `stop` or `slide`, got "drop"');
    expect(start([0, 1, 2], { whenFull: 'slide' })).not.toThrow();
  });
});
