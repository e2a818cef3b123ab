import { describe, expect, it } from 'vitest';
import { type Candidates, Constrained, constraintFrom, type LogitsProcessor } from '../../../processors/index.js';
import { generateSpeculative, type SpeculativeOptions } from '../../../src/decode/speculation/generate-speculative.js';
import { ModelDrafter } from '../../../src/decode/speculation/model-drafter.js';
import { PromptLookupDrafter } from '../../../src/decode/speculation/prompt-lookup-drafter.js';
import { createSampler, generate, InvalidValueError } from '../../../src/index.js';
import { Pcg32 } from '../../../src/random/index.js';
import { PieceTokenizer, ScriptedModel, saying } from '../../support/scripted-model.js';
import { drawingFrom, ScriptedUniforms } from '../../support/scripted-uniforms.js';
import { BlockModel } from './block-model.js';
import { RunCounter } from './run-counter.js';
import { ScriptedDrafter } from './scripted-drafter.js';

type Ids = readonly number[];

/** Logits that depend on every id before. */
function hashed(size: number, salt = 7): (ids: Ids) => Float32Array {
  return (ids) => {
    const rng = new Pcg32(ids.reduce((h, id) => (h * 31 + id + 1) % 1_000_003, salt));
    return Float32Array.from({ length: size }, () => rng.uniform() * 6);
  };
}

/** After n ids, all but id script[n - 1] are far away. */
function following(script: Ids, size: number): (ids: Ids) => Float32Array {
  return (ids) => Float32Array.from({ length: size }, (_, id) => (id === (script[ids.length - 1] ?? 0) ? 9 : 0));
}

const letters = new PieceTokenizer(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', '', '']);
const randomModel = (options = {}) => new BlockModel(hashed(10), { beginId: 9, ...options });

/** Proposes the target's own greedy ids, and spoils every third. */
function halfRight(): ScriptedDrafter {
  const model = hashed(10);
  return new ScriptedDrafter((output, count) => {
    const all = [9, 0, 1, ...output];
    return Array.from({ length: count }, () => {
      const logits = model(all);
      const best = logits.indexOf(Math.max(...logits));
      all.push(all.length % 3 === 0 ? (best + 1) % 8 : best);
      return { id: all.at(-1) as number };
    });
  });
}

const ban = (id: number): LogitsProcessor => ({
  name: 'ban',
  stage: 'scores',
  process: (candidates: Candidates) => candidates.setLogit(id, -Infinity),
});

/** Low ids and high ids take turns; after 6 of them it may end with id 8, after 10 it must. */
const constrained = () =>
  new Constrained(
    constraintFrom(
      ({ length }) => {
        const turn = length % 2 === 0 ? [0, 1, 2, 3, 4] : [3, 4, 5, 6, 7];
        return length < 6 ? turn : length < 10 ? [...turn, 8] : [8];
      },
      [8],
    ),
  );

describe('greedy speculation', () => {
  it.each([
    { why: 'no more', params: {} },
    { why: 'penalties', params: { repetition_penalty: 1.5, frequency_penalty: 0.6, presence_penalty: 0.2 } },
    { why: 'the most likely ids', params: { logprobs: 3 } },
    { why: 'a stop string across tokens', params: { stop: ['fh', 'da', 'gd', 'ec'] } },
    { why: 'an end id', params: { stop_token_ids: [3, 5] } },
    { why: 'biases and a minimum', params: { stop_token_ids: [3, 5], min_tokens: 6, logit_bias: { '2': 2, '7': -3 } } },
    { why: 'a full context', params: {}, model: { contextLength: 11 } },
    { why: 'a context that the prompt fills', params: {}, model: { contextLength: 3 } },
    { why: 'a banned id', params: {}, front: () => [ban(4)] },
    { why: 'a constraint', params: {}, model: { endIds: [8] }, front: () => [constrained()] },
    { why: 'a step with a state', params: {}, front: () => [new RunCounter()] },
  ])('gives what plain greedy generation gives, with $why', async ({ params, model = {}, front = () => [] }) => {
    const request = { temperature: 0, seed: 1, max_tokens: 17, ...params };
    const plain = await generate(randomModel(model), letters, [0, 1], request, { before: front() });
    for (const draftTokens of [1, 2, 3, 7]) {
      for (const drafter of [halfRight(), new PromptLookupDrafter({ minNgram: 1 })]) {
        const options = { drafter, draftTokens, before: front() };
        const { speculation, ...rest } = await generateSpeculative(
          randomModel(model),
          letters,
          [0, 1],
          request,
          options,
        );
        expect(rest).toEqual(plain);
        expect(speculation.targetCalls).toBeLessThanOrEqual(Math.max(1, plain.ids.length + 1));
      }
    }
  });

  it('draws nothing', async () => {
    const drafter = halfRight();
    const container = drawingFrom(() => new ScriptedUniforms([]));
    const params = { temperature: 0 };
    const result = await generateSpeculative(randomModel(), letters, [0, 1], params, { drafter, container });
    expect(result.speculation.accepted).toBeGreaterThan(0);
    expect(result.speculation.resampled).toBeGreaterThan(0);
  });

  it('counts what was drafted, verified, accepted and asked', async () => {
    const model = new BlockModel(following([9, 1, 2, 3, 4, 5, 6, 7, 1, 2], 10), { beginId: 0 });
    const drafter = ScriptedDrafter.blocks([[1, 2, 9], [4, 5, 6], [], [3, 2, 2], [2, 2, 2]]);
    const params = { temperature: 0, max_tokens: 9 };
    const generation = generateSpeculative(model, letters, [8], params, { drafter, draftTokens: 3 });
    const { ids, speculation } = await generation;
    // [1, 2] accepted, 9 rejected for 3; [4, 5, 6] accepted, bonus 7; nothing drafted, 1 sampled; 3 rejected for 2
    expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7, 1, 2]);
    expect(speculation).toEqual({
      drafted: 9,
      verified: 7,
      accepted: 5,
      resampled: 2,
      bonus: 1,
      undrafted: 1,
      targetCalls: 4,
      acceptanceRate: 5 / 9,
      tokensPerCall: 9 / 4,
    });
    expect(generation.speculation).toEqual(speculation);
    expect(drafter.accepted).toEqual([[1, 2, 3], [4, 5, 6, 7], [1]]);
  });

  it('asks the target once a block, and takes back what was rejected', async () => {
    const model = new BlockModel(following([9, 1, 2, 3, 4, 5, 6, 7, 1, 2], 10), { beginId: 0 });
    const drafter = ScriptedDrafter.blocks([[1, 2, 9], [4, 5, 6], [], [3, 2, 2]]);
    await generateSpeculative(model, letters, [8], { temperature: 0, max_tokens: 9 }, { drafter, draftTokens: 3 });
    expect(model.calls).toEqual([
      ['append', 0],
      ['appendEach', 8, 1, 2, 9],
      ['truncate', 4],
      ['appendEach', 3, 4, 5, 6],
      ['appendEach', 7],
      ['appendEach', 1, 3, 2, 2],
      ['close'],
    ]);
    expect(drafter.closed).toBe(1);
  });

  it('asks a target without appendEach one id at a time, and never for a rejected one', async () => {
    const model = new ScriptedModel(10, 100, [], following([9, 1, 2, 3, 4, 5, 6, 7, 1, 2], 10), 0);
    const drafter = ScriptedDrafter.blocks([[1, 2, 9], [4, 5, 6], [], [3, 2, 2]]);
    const params = { temperature: 0, max_tokens: 9 };
    const { ids, speculation } = await generateSpeculative(model, letters, [8], params, { drafter, draftTokens: 3 });
    expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7, 1, 2]);
    expect(model.appended).toEqual([[0], [8], ...ids.slice(0, -1).map((id) => [id])]);
    expect(model.truncations).toEqual([]);
    expect([speculation.targetCalls, speculation.tokensPerCall]).toEqual([9, 1]);
  });
});

describe('generateSpeculative', () => {
  const draftModel = () => new BlockModel(hashed(10, 8), { beginId: 9 });
  const params = { seed: 5, temperature: 0.9, top_p: 0.9, repetition_penalty: 1.2 };
  const run = (more: object = {}, options: Partial<SpeculativeOptions> = {}) =>
    generateSpeculative(
      randomModel(),
      letters,
      'ab',
      { ...params, max_tokens: 12, ...more },
      { drafter: new ModelDrafter(draftModel(), { temperature: 1.2 }), ...options },
    );

  it('gives the same for the same seed, another for another, and reports a seed that it chose', async () => {
    const [first, again, other] = [await run(), await run(), await run({ seed: 6 })];
    expect(again).toEqual(first);
    expect(other.ids).not.toEqual(first.ids);
    const chosen = await run({ seed: undefined });
    expect(await run({ seed: chosen.seed })).toEqual(chosen);
  });

  it('begins with the same tokens however many may follow', async () => {
    const whole = await run();
    for (let n = 1; n < 12; n++) expect((await run({ max_tokens: n })).ids).toEqual(whole.ids.slice(0, n));
  });

  it('gives the same whether the target takes a block at once or one id at a time', async () => {
    const one = new ScriptedModel(10, 100, [], hashed(10), 9);
    const drafter = new ModelDrafter(draftModel(), { temperature: 1.2 });
    const single = await generateSpeculative(one, letters, 'ab', { ...params, max_tokens: 12 }, { drafter });
    const block = await run();
    expect(single).toEqual({ ...block, speculation: single.speculation });
    expect({ ...single.speculation, targetCalls: 0, tokensPerCall: 0 }).toEqual({
      ...block.speculation,
      targetCalls: 0,
      tokensPerCall: 0,
    });
  });

  it('reports of each token what a plain sampler says after the same history', async () => {
    const tokens = [];
    for await (const event of run({ logprobs: 2 })) if (event.type === 'token') tokens.push(event);
    const model = randomModel();
    for (const [i, { id, logprob, entropy, count, topLogprobs }] of tokens.entries()) {
      const output = tokens.slice(0, i).map((token) => token.id);
      const plain = plainToken(model, output, id);
      expect({ logprob, entropy, count }).toEqual({ ...plain, count: i + 1 });
      expect(topLogprobs?.map((top) => top.id)).toContain(id);
    }
  });

  function plainToken(model: BlockModel, output: Ids, id: number) {
    const sampler = createSampler(params, { prompt: [0, 1], history: output });
    sampler.distribution(Float32Array.from(model.logitsAfter([9, 0, 1, ...output])));
    return { logprob: sampler.logprob(id), entropy: sampler.entropy() };
  }

  it('is not disturbed by another run between its tokens', async () => {
    const alone = [await run(), await run({ seed: 6 })];
    const [one, two] = [run(), run({ seed: 6 })];
    const [a, b] = [one[Symbol.asyncIterator](), two[Symbol.asyncIterator]()];
    for (let n = 0; n < 5; n++) await Promise.all([a.next(), b.next()]);
    expect([await one, await two]).toEqual(alone);
  });

  it('ends inside a block at an end id, a stop string and max_tokens, and drops the rest', async () => {
    const { model, tokenizer } = saying(['a', 'b', 'c', 'd', 'e', 'f']);
    const drafts = () => ScriptedDrafter.blocks([[0, 1, 2, 3, 4, 5, 6, 6, 6]]);
    const options = () => ({ drafter: drafts(), draftTokens: 9 });
    const end = await generateSpeculative(model, tokenizer, [], {}, options());
    expect(end).toMatchObject({ text: 'abcdef', ids: [0, 1, 2, 3, 4, 5], finish_reason: 'stop', stopped_by: 6 });
    expect(end.speculation).toMatchObject({ drafted: 9, verified: 7, accepted: 7, bonus: 0 });
    const stop = await generateSpeculative(model, tokenizer, [], { stop: ['bc'] }, options());
    expect(stop).toMatchObject({ text: 'a', ids: [0, 1, 2], finish_reason: 'stop', stopped_by: 'bc' });
    const short = await generateSpeculative(model, tokenizer, [], { max_tokens: 4 }, options());
    expect(short).toMatchObject({ text: 'abcd', ids: [0, 1, 2, 3], finish_reason: 'length' });
    expect(short.speculation).toMatchObject({ verified: 4, accepted: 4 });
  });

  it('streams text that concatenates to the whole', async () => {
    const whole = await run();
    let text = '';
    for await (const piece of run().toReadableStream() as unknown as AsyncIterable<string>) text += piece;
    expect(text).toBe(whole.text);
  });

  it('rejects whatever a mask bans, and never emits it', async () => {
    for (let seed = 0; seed < 20; seed++) {
      const drafter = new ScriptedDrafter((_, count) => Array.from({ length: count }, () => ({ id: 4 })));
      const { ids, speculation } = await run({ seed }, { drafter, before: [ban(4)] });
      expect(ids).not.toContain(4);
      expect(speculation.accepted).toBe(0);
    }
  });

  it.each([
    { why: 'a drafter that knows of it', front: () => [constrained()] },
    { why: 'one that does not', front: () => [] },
  ])('stays within a constraint, with $why', async ({ front }) => {
    for (let seed = 0; seed < 20; seed++) {
      const drafter = new ModelDrafter(new BlockModel(hashed(10, 8), { beginId: 9 }), {}, { before: front() });
      const options = { drafter, before: [constrained()] };
      const request = { ...params, seed, max_tokens: 20 };
      const model = randomModel({ endIds: [8] });
      const { ids, stopped_by } = await generateSpeculative(model, letters, 'ab', request, options);
      expect(stopped_by).toBe(8);
      expect(ids.length).toBeGreaterThanOrEqual(6);
      ids.forEach((id, i) => {
        expect(i % 2 === 0 ? id <= 4 : id >= 3 && id <= 7).toBe(true);
      });
    }
  });

  it('throws the reason of its signal, before the start and between blocks', async () => {
    const early = run({}, { signal: AbortSignal.abort(new Error('never mind')) });
    await expect(early).rejects.toThrow('never mind');
    const controller = new AbortController();
    const model = randomModel();
    const generation = generateSpeculative(model, letters, 'ab', params, {
      drafter: halfRight(),
      signal: controller.signal,
    });
    const iterator = generation[Symbol.asyncIterator]();
    await iterator.next();
    controller.abort(new Error('enough'));
    await expect(iterator.next()).rejects.toThrow('enough');
    await expect(generation).rejects.toThrow('enough');
    expect(model.calls.at(-1)).toEqual(['close']);
  });

  it('throws the reason of its signal inside a block that is computed already', async () => {
    const controller = new AbortController();
    const model = new BlockModel(following([1, 2, 3, 4, 5], 10));
    const drafter = ScriptedDrafter.blocks([[1, 2, 3]]);
    const generation = generateSpeculative(model, letters, 'a', params, { drafter, signal: controller.signal });
    const iterator = generation[Symbol.asyncIterator]();
    await iterator.next();
    controller.abort(new Error('enough'));
    await expect(iterator.next()).rejects.toThrow('enough');
    expect(model.calls).toEqual([['appendEach', 0, 1, 2, 3], ['close']]);
  });

  it('frees the sessions when it is left, when the drafter fails and when the target fails', async () => {
    const model = randomModel();
    const drafter = halfRight();
    for await (const _ of generateSpeculative(model, letters, 'ab', params, { drafter })) break;
    expect([model.calls.at(-1), drafter.closed]).toEqual([['close'], 1]);
    const failing = new ScriptedDrafter(() => {
      throw new Error('no idea');
    });
    await expect(generateSpeculative(model, letters, 'ab', params, { drafter: failing })).rejects.toThrow('no idea');
    expect([model.calls.at(-1), failing.closed]).toEqual([['close'], 1]);
    const broken = new BlockModel((ids) => (ids.length > 3 ? [Number.NaN, 0] : [0, 1]));
    const two = new PieceTokenizer(['a', 'b']);
    const generation = generateSpeculative(broken, two, [0, 1, 0], params, {
      drafter: ScriptedDrafter.blocks([[1]]),
    });
    await expect(generation).rejects.toThrow(InvalidValueError);
    expect(broken.calls.at(-1)).toEqual(['close']);
  });

  it.each([
    { why: 'longer than asked for', draft: [{ id: 1 }, { id: 1 }, { id: 1 }], message: 'Drafter: `draft`' },
    {
      why: 'with q(x) = 0',
      draft: [{ id: 1, q: Float64Array.of(1, ...new Array<number>(9).fill(0)) }],
      message: '`draft[0].q[1]` must be above 0',
    },
  ])('refuses a draft $why', async ({ draft, message }) => {
    for (const temperature of [0, 1]) {
      const options = { drafter: new ScriptedDrafter(() => draft), draftTokens: 2 };
      await expect(run({ temperature }, options)).rejects.toThrow(message);
    }
  });

  it.each<[string, object, object]>([
    ['top_p', { top_p: 2 }, {}],
    ['before', {}, { chain: [], before: [ban(1)] }],
    ['logit_bias', { logit_bias: { '1': 1 } }, { chain: [] }],
    ['stop_token_ids[0]', { stop_token_ids: [10] }, {}],
  ])('refuses a wrong %s before anybody is asked', (name, more, options) => {
    const model = randomModel();
    const request = { ...('chain' in options ? {} : params), ...more };
    const start = () => generateSpeculative(model, letters, 'ab', request, { drafter: halfRight(), ...options });
    expect(start).toThrow(InvalidValueError);
    expect(start).toThrow(`\`${name}\``);
    expect(model.calls).toEqual([]);
  });

  it('refuses a prompt that the model cannot take', () => {
    const start = (prompt: Ids, options: object) =>
      generateSpeculative(new BlockModel(hashed(10), options), letters, prompt, {}, { drafter: halfRight() });
    expect(() => start([], {})).toThrow('not empty');
    expect(() => start([1, 2, 3], { contextLength: 2 })).toThrow('at most 2 ids');
    expect(() => start([10], {})).toThrow(InvalidValueError);
  });

  it('takes a chain of one’s own', async () => {
    const chain = [
      { use: 'temperature', temperature: 0.5 },
      { use: 'top-k', k: 2 },
    ];
    const options = { drafter: new PromptLookupDrafter({ minNgram: 1 }), chain };
    const { ids } = await generateSpeculative(randomModel(), letters, 'ab', { seed: 1, max_tokens: 20 }, options);
    expect(ids).toHaveLength(20);
  });
});
