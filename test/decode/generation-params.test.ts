import { describe, expect, it } from 'vitest';
import { type GenerationParamsInput, validateGeneration } from '../../src/decode/generation-params.js';
import { generate } from '../../src/index.js';
import { PieceTokenizer, ScriptedModel, saying } from '../support/scripted-model.js';

const letters = new PieceTokenizer(['a', 'b', 'c', '', '']);

/** Prefers the end id 3, then a, b, c. */
function model(): ScriptedModel {
  return new ScriptedModel(5, 50, [3], () => [2, 1, 0, 3, -9], 4);
}

const greedy = { temperature: 0, max_tokens: 4 };

describe('the parameters of a generation', () => {
  it('are those of sampling and their own, complete and frozen', () => {
    const params = validateGeneration({ top_k: 3 });
    expect(params).toEqual({
      temperature: 1,
      top_k: 3,
      top_p: 1,
      min_p: 0,
      repetition_penalty: 1,
      presence_penalty: 0,
      frequency_penalty: 0,
      max_tokens: 128,
      stop: [],
      logprobs: 0,
      n: 1,
      echo: false,
      logit_bias: {},
      min_tokens: 0,
      stop_waits: false,
      stop_token_ids: [],
    });
    for (const value of [params, params.stop, params.stop_token_ids, params.logit_bias])
      expect(value).toSatisfy(Object.isFrozen);
  });

  it('are frozen copies: what the caller has stays as it is', () => {
    const given = { stop: ['x'], stop_token_ids: [1], logit_bias: { 5: -100 } };
    const params = validateGeneration(given);
    given.stop.push('y');
    given.stop_token_ids.push(2);
    given.logit_bias[5] = 3;
    expect(params).toMatchObject({ stop: ['x'], stop_token_ids: [1], logit_bias: { 5: -100 } });
  });

  it.each<[object, string]>([
    [{ n: 0 }, '`n` must be an integer in [1, 1024], got 0'],
    [{ n: 1.5 }, '`n` must be an integer in [1, 1024], got 1.5'],
    [{ echo: 1 }, '`echo` must be true or false, got 1'],
    [{ min_tokens: -1 }, '`min_tokens` must be an integer >= 0, got -1'],
    [{ stop_token_ids: [1, -1] }, '`stop_token_ids[1]` must be an integer >= 0, got -1'],
    [{ stop_token_ids: 5 }, '`stop_token_ids` must be an array of integers >= 0, got 5'],
    [{ stop: ['ok', '\ud83d'] }, '`stop[1]` must be a string without half a character, got "\\ud83d"'],
    [{ stop: [''] }, '`stop[0]` must be a non-empty string, got ""'],
    [{ logit_bias: { x: 1 } }, '`logit_bias.x` must be absent (the keys are ids, integers >= 0), got 1'],
    [{ logit_bias: { 5: '1' } }, '`logit_bias.5` must be a finite number, got "1"'],
    [{ logit_bias: [1] }, '`logit_bias` must be an object or a Map from ids to finite numbers, got [1]'],
    [{ temperature: -1 }, '`temperature` must be a finite number >= 0, got -1'],
  ])('are refused: %j', (params, message) => {
    expect(() => validateGeneration(params)).toRefuse(`GenerationParams: ${message}`);
  });

  it.each<{ params: GenerationParamsInput; says: string; options?: object }>([
    { params: { n: 2 }, says: 'generate: `n` must be 1 (generateChoices gives several), got 2' },
    {
      params: { logit_bias: { 5: 1 } },
      says: 'generate: `logit_bias.5` must be absent (the ids are those in [0, 5)), got 1',
    },
    { params: { stop_token_ids: [0, 5] }, says: 'generate: `stop_token_ids[1]` must be an integer in [0, 5), got 5' },
    { params: { min_tokens: 5, max_tokens: 4 }, says: 'generate: `min_tokens` must be at most max_tokens, 4, got 5' },
    {
      params: { logit_bias: { 1: 1 } },
      options: { chain: [] },
      says: 'generate: `logit_bias` must be a step of the chain given, got { 1: 1 }',
    },
    {
      params: { min_tokens: 1 },
      options: { chain: [] },
      says: 'generate: `min_tokens` must be a step of the chain given, got 1',
    },
  ])('are refused before the model is asked: $says', ({ params, says, options }) => {
    const asked = model();
    expect(() => generate(asked, letters, 'a', params, options)).toRefuse(says);
    expect(asked.opened).toBe(0);
  });
});

describe('stop_token_ids', () => {
  it('end the text beside the end ids of the model, part of neither ids nor text, and say which it was', async () => {
    const { model: said, tokenizer } = saying(['a', 'b', 'c']);
    const result = await generate(said, tokenizer, [], { stop_token_ids: [2] });
    expect(result).toMatchObject({ text: 'ab', ids: [0, 1], finish_reason: 'stop', stopped_by: 2 });
    expect(result.usage).toEqual({ prompt_tokens: 0, completion_tokens: 2 });
    expect(await generate(said, tokenizer, [], { stop_token_ids: [4] })).toMatchObject({ text: 'abc', stopped_by: 3 });
  });

  it('may stand beside a chain', async () => {
    const { model: said, tokenizer } = saying(['a', 'b', 'c']);
    const result = await generate(said, tokenizer, [], { stop_token_ids: [1] }, { chain: [] });
    expect(result.text).toBe('a');
  });
});

describe('min_tokens', () => {
  it('keeps end ids and stop ids away until there are so many tokens', async () => {
    expect((await generate(model(), letters, 'a', greedy)).ids).toEqual([]);
    expect(await generate(model(), letters, 'a', { ...greedy, min_tokens: 2 })).toMatchObject({
      ids: [0, 0],
      stopped_by: 3,
    });
    const both = { ...greedy, min_tokens: 2, stop_token_ids: [0] };
    expect(await generate(model(), letters, 'a', both)).toMatchObject({ ids: [1, 1], stopped_by: 3 });
  });

  it('renormalizes the logprobs, and does nothing where there is no end id', async () => {
    const { logprobs } = await generate(model(), letters, 'a', { ...greedy, min_tokens: 1 });
    const z = Math.exp(2) + Math.exp(1) + 1 + Math.exp(-9);
    expect(logprobs[0]).toBeCloseTo(2 - Math.log(z), 12);
    const endless = new ScriptedModel(3, 50, [], () => [2, 1, 0]);
    const result = await generate(endless, new PieceTokenizer(['a', 'b', 'c']), 'a', { ...greedy, min_tokens: 2 });
    expect(result.ids).toEqual([0, 0, 0, 0]);
  });
});

describe('logit_bias', () => {
  it('is added to the raw logits, whether its keys are strings or numbers, in an object or a Map', async () => {
    const biases = [{ '1': 5 }, { 1: 5 }, new Map([[1, 5]]), new Map([['1', 5]])];
    const z = Math.exp(2) + Math.exp(6) + 1 + Math.exp(3) + Math.exp(-9);
    for (const logit_bias of biases) {
      const result = await generate(model(), letters, 'a', { ...greedy, logit_bias });
      expect(result.ids).toEqual([1, 1, 1, 1]);
      expect(result.logprobs[0]).toBeCloseTo(6 - Math.log(z), 12);
    }
  });

  it('stands before the penalties and masks, as a step of the chain', () => {
    const generation = generate(model(), letters, 'a', { ...greedy, logit_bias: { 1: 5 }, min_tokens: 1 });
    const { chain } = generation.save().sampler;
    expect(chain.slice(0, 3)).toEqual([
      { use: 'logit-bias', bias: { 1: 5 } },
      { use: 'min-tokens', min_tokens: 1, end_ids: [3] },
      { use: 'repetition-penalty', penalty: 1 },
    ]);
  });
});

describe('echo', () => {
  it('puts the text of the prompt first, as an event and as text, and looks for no stop string in it', async () => {
    const { model: said, tokenizer } = saying(['a', 'b', 'STOP']);
    const generation = generate(said, tokenizer, 'ab', { echo: true, stop: ['b', 'STOP'], max_tokens: 1 });
    const events = [];
    for await (const event of generation) events.push(event);
    expect(events[0]).toEqual({ type: 'prompt', text: 'ab' });
    expect(events.map(({ type }) => type)).toEqual(['prompt', 'token', 'end']);
    expect(await generation).toMatchObject({ text: 'ab', ids: [2], stopped_by: 'STOP' });
  });

  it('decodes a prompt of ids, half a character as U+FFFD', async () => {
    const { model: said, tokenizer } = saying([[0xf0, 0x9f], [0xa6, 0x8a], 'x', [0xc3]]);
    const result = await generate(said, tokenizer, [0, 1, 2, 3], { echo: true, max_tokens: 1, seed: 1 });
    expect(result.text.startsWith('🦊x\ufffd')).toBe(true);
  });
});

describe('logprobs', () => {
  it('lists the most likely ids with the bytes of their tokens, and the chosen one behind where it is none of them', async () => {
    const bytes = new PieceTokenizer([[0xf0, 0x9f, 0xa6], [0x8a], 'c', '', '']);
    const flat = new ScriptedModel(5, 50, [3], () => [2, 1, 0, -9, -9], 4);
    const result = await generate(flat, bytes, [0], { logprobs: 1, seed: 4, max_tokens: 12 });
    expect(result.topLogprobs).toHaveLength(result.ids.length);
    expect(new Set(result.ids)).toEqual(new Set([0, 1, 2]));
    result.ids.forEach((id, i) => {
      const top = result.topLogprobs?.[i] ?? [];
      expect(top.map((one) => one.id)).toEqual(id === 0 ? [0] : [0, id]);
      expect(top.at(-1)).toEqual({ id, logprob: result.logprobs[i], bytes: [...bytes.tokenBytes(id)] });
    });
  });

  it('are in the result only when asked for', async () => {
    expect(await generate(model(), letters, 'a', greedy)).not.toHaveProperty('topLogprobs');
  });
});

describe('the counts', () => {
  it('go up with each token, and the end says how many there were and how fast they came', async () => {
    const { model: said, tokenizer } = saying(['a', 'b', 'c']);
    const events = [];
    for await (const event of generate(said, tokenizer, [0, 1], { max_tokens: 2 })) events.push(event);
    const end = events.pop();
    expect(events.map((event) => event.type === 'token' && event.count)).toEqual([1, 2].slice(0, events.length));
    if (end?.type !== 'end') throw new Error('no end');
    expect(end.usage).toEqual({ prompt_tokens: 2, completion_tokens: events.length });
    expect(end.timing.tokens_per_second).toBe(events.length / end.timing.seconds);
  });
});
