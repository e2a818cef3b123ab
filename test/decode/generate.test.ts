import { describe, expect, it } from 'vitest';
import { type GenerateEvent, type GenerateOptions, generate, InvalidValueError } from '../../src/index.js';
import { Pcg32 } from '../../src/random/index.js';
import { PieceTokenizer, ScriptedModel, saying } from '../support/scripted-model.js';

async function collect(generation: AsyncIterable<GenerateEvent>): Promise<GenerateEvent[]> {
  const events: GenerateEvent[] = [];
  for await (const event of generation) events.push(event);
  return events;
}

/** A model with random logits that depend on every id before, so that a wrong context shows. */
function randomModel(contextLength: number, beginId?: number): ScriptedModel {
  const logitsAfter = (ids: readonly number[]) => {
    const hash = ids.reduce((h, id) => (h * 31 + id + 1) % 1_000_003, 7);
    const rng = new Pcg32(hash);
    return Float32Array.from({ length: 10 }, () => rng.uniform() * 6);
  };
  return new ScriptedModel(10, contextLength, [], logitsAfter, beginId);
}

const letters = new PieceTokenizer(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', '', '']);

describe('generate', () => {
  it('streams text that concatenates to the whole, and ends at the end id, which is part of neither', async () => {
    const { model, tokenizer } = saying(['he', 'llo', ' world']);
    const events = await collect(generate(model, tokenizer, []));
    expect(events.map(({ text }) => text).join('')).toBe('hello world');
    const usage = { prompt_tokens: 0, completion_tokens: 3 };
    const timing = { seconds: expect.any(Number), tokens_per_second: expect.any(Number) };
    expect(events.at(-1)).toEqual({ type: 'end', text: '', finish_reason: 'stop', stopped_by: 3, usage, timing });
    const result = await generate(model, tokenizer, []);
    expect(result.ids).toEqual([0, 1, 2]);
    expect(result.text).toBe('hello world');
    expect(result.logprobs).toEqual([0, 0, 0]);
    expect(result.finish_reason).toBe('stop');
  });

  it.each([
    {
      why: 'split over tokens',
      pieces: ['he', 'llo ', 'E', 'N', 'D tail', 'more'],
      stop: ['END'],
      text: 'hello ',
      ids: 5,
    },
    { why: 'by text, not by ids', pieces: ['a', 'T', 'a'], stop: ['T'], text: 'a', ids: 2 },
    { why: 'after an emoji', pieces: ['hé', '😀', 'ST', 'OPx'], stop: ['STOP'], text: 'hé😀', ids: 4 },
  ])('cuts the text before a stop string $why', async ({ pieces, stop, text, ids }) => {
    const { model, tokenizer } = saying(pieces);
    const result = await generate(model, tokenizer, [], { stop });
    expect(result).toMatchObject({ text, finish_reason: 'stop', stopped_by: stop[0] });
    expect(result.ids).toHaveLength(ids);
  });

  it('hands out held-back text when the end comes, by an end id or by length', async () => {
    const { model, tokenizer } = saying(['ca', 'us']);
    expect((await generate(model, tokenizer, [], { stop: ['user:'] })).text).toBe('caus');
    const short = await generate(model, tokenizer, [], { stop: ['user:'], max_tokens: 2 });
    expect(short).toMatchObject({ text: 'caus', finish_reason: 'length' });
  });

  it('never hands out half a character', async () => {
    const { model, tokenizer } = saying([[0xf0, 0x9f], [0xa6], [0x8a], 'x']);
    const events = await collect(generate(model, tokenizer, []));
    expect(events.map(({ text }) => text)).toEqual(['', '', '🦊', 'x', '']);
    const cut = await generate(model, tokenizer, [], { max_tokens: 2 });
    expect(cut.text).toBe('\ufffd');
  });

  it('stops after max_tokens with the reason length', async () => {
    const result = await generate(randomModel(100, 9), letters, 'ab', { max_tokens: 7, seed: 1 });
    expect(result.ids).toHaveLength(7);
    expect(result.finish_reason).toBe('length');
  });

  it('stops when the context is full, begin token and prompt counted', async () => {
    const result = await generate(randomModel(8, 9), letters, 'abc', { seed: 1 });
    expect(result.ids).toHaveLength(8 - 1 - 3);
    expect(result.finish_reason).toBe('length');
  });

  it('slides by choice over the begin token and the last ids, and penalties still see everything', async () => {
    const model = randomModel(6, 9);
    const params = { seed: 3, max_tokens: 12, repetition_penalty: 1.3 };
    const result = await generate(model, letters, 'abc', params, { whenFull: 'slide' });
    expect(result.ids).toHaveLength(12);
    const all = [0, 1, 2, ...result.ids];
    expect(model.truncations).not.toEqual([]);
    expect(new Set(model.truncations)).toEqual(new Set([1])); // the begin token stays
    expect(model.appended.at(-1)).toEqual(all.slice(-6, -1));
  });

  it('prefills once and then appends one id a token', async () => {
    const model = randomModel(100, 9);
    const { ids } = await generate(model, letters, 'abc', { seed: 5, max_tokens: 4 });
    expect(model.appended).toEqual([[9, 0, 1, 2], ...ids.slice(0, 3).map((id) => [id])]);
    expect([model.opened, model.closed]).toEqual([1, 1]);
  });

  it('gives the same tokens for the same seed, others for another, and reports a seed that it chose', async () => {
    const run = (seed?: number) => generate(randomModel(100, 9), letters, 'a', seed === undefined ? {} : { seed });
    const [first, again, other, chosen] = [await run(1), await run(1), await run(2), await run()];
    expect(again).toEqual(first);
    expect(other.ids).not.toEqual(first.ids);
    expect(await run(chosen.seed as number)).toEqual(chosen);
  });

  it('reports the n most likely ids with each token', async () => {
    const events = await collect(generate(randomModel(50, 9), letters, 'a', { seed: 1, logprobs: 3, max_tokens: 5 }));
    for (const event of events) {
      if (event.type !== 'token') continue;
      expect(event.topLogprobs).toHaveLength(3);
      const [best] = event.topLogprobs ?? [];
      expect(best?.logprob).toBeGreaterThanOrEqual(event.logprob);
      expect(event.entropy).toBeGreaterThan(0);
    }
  });

  it('gives the rest of the result after some of it was iterated', async () => {
    const { model, tokenizer } = saying(['a', 'b', 'c']);
    const generation = generate(model, tokenizer, []);
    const first = await generation[Symbol.asyncIterator]().next();
    expect(first.value).toMatchObject({ id: 0 });
    expect((await generation).text).toBe('abc');
    expect((await generation).text).toBe('abc');
    expect(model.opened).toBe(1);
  });

  it('ends with the reason of an abort signal, before and in the middle, and closes the session', async () => {
    const { model, tokenizer } = saying(['a', 'b', 'c']);
    await expect(generate(model, tokenizer, [], {}, { signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow(
      'no',
    );
    const control = new AbortController();
    const events: GenerateEvent[] = [];
    const run = async () => {
      for await (const event of generate(model, tokenizer, [], {}, { signal: control.signal })) {
        events.push(event);
        control.abort(new Error('enough'));
      }
    };
    await expect(run()).rejects.toThrow('enough');
    expect(events).toHaveLength(1);
    expect(model.closed).toBe(model.opened);
  });

  it('passes on what the model throws, to the iterator and to the promise', async () => {
    const failing = new ScriptedModel(2, 10, [], () => {
      throw new Error('out of memory');
    });
    const generation = generate(failing, new PieceTokenizer(['a', 'b']), 'a');
    await expect(collect(generation)).rejects.toThrow('out of memory');
    await expect(generation).rejects.toThrow('out of memory');
    expect(failing.closed).toBe(1);
  });

  it.each([
    { why: 'an empty stop string', params: { stop: ['x', ''] }, options: {}, names: 'stop[1]' },
    { why: 'a parameter out of its domain', params: { max_tokens: 0 }, options: {}, names: 'max_tokens' },
    { why: 'a prompt longer than the context', params: {}, options: {}, prompt: [0, 0, 0, 0, 0, 0], names: 'prompt' },
    { why: 'an id outside the vocabulary', params: {}, options: {}, prompt: [10], names: 'prompt[0]' },
    { why: 'an unknown way when full', params: {}, options: { whenFull: 'drop' }, names: 'whenFull' },
    { why: 'a policy beside a chain', params: { top_p: 0.5 }, options: { chain: [] }, names: 'top_p' },
  ])('refuses $why at once, before the model is asked', ({ params, options, prompt, names }) => {
    const model = randomModel(6, 9);
    const call = () => generate(model, letters, prompt ?? 'a', params, options as GenerateOptions);
    expect(call).toThrow(InvalidValueError);
    expect(call).toThrow(`\`${names}\``);
    expect(model.opened).toBe(0);
  });

  it('refuses an empty prompt where the model has no begin token', () => {
    expect(() => generate(randomModel(6), letters, '')).toThrow('`prompt`');
  });
});
