import { describe, expect, it } from 'vitest';
import { type GenerateRequest, generateChoices, generateMany } from '../../src/decode/run/generate-many.js';
import { nthSeed } from '../../src/decode/run/nth-seed.js';
import type { GroupEvent } from '../../src/decode/run/turns.js';
import { type GenerateResult, generate } from '../../src/index.js';
import { Pcg32 } from '../../src/random/index.js';
import { PieceTokenizer, ScriptedModel } from '../support/scripted-model.js';

const letters = new PieceTokenizer(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', '', '']);

/** Random logits that depend on every id before; throws where the ids contain `fatal`. */
function randomModel(fatal?: number): ScriptedModel {
  const logitsAfter = (ids: readonly number[]) => {
    if (ids.includes(fatal as number)) throw new Error('out of memory');
    const random = new Pcg32(ids.reduce((hash, id) => (hash * 31 + id + 1) % 1_000_003, 7));
    return Float32Array.from({ length: 10 }, () => random.uniform() * 6);
  };
  return new ScriptedModel(10, 30, [8], logitsAfter, 9);
}

const REQUESTS: readonly GenerateRequest[] = [
  { prompt: 'a', params: { seed: 1, max_tokens: 3 } },
  { prompt: 'bc', params: { seed: 2, temperature: 0, frequency_penalty: 1 } },
  { prompt: 'd', params: { seed: 2n ** 64n - 1n, stop: ['ab', 'c'], logprobs: 2, echo: true } },
  { prompt: 'abcdefgh', params: { seed: 4, min_tokens: 6 }, options: { whenFull: 'slide' } },
  { prompt: 'e', params: { seed: 5, max_tokens: 20 }, options: { chain: [{ use: 'top-k', k: 3 }] } },
];

const alone = await Promise.all(
  REQUESTS.map(({ prompt, params, options }) => generate(randomModel(), letters, prompt, params, options)),
);

async function collect(group: AsyncIterable<GroupEvent>): Promise<GroupEvent[]> {
  const events: GroupEvent[] = [];
  for await (const event of group) events.push(event);
  return events;
}

function values(results: readonly PromiseSettledResult<GenerateResult>[]): GenerateResult[] {
  return results.map(
    (result) => (result.status === 'fulfilled' ? result.value : Promise.reject(result.reason)) as never,
  );
}

/** The numbers below n, begun at each place, forwards and backwards. */
function orders(n: number): number[][] {
  const all = [...new Array(n).keys()];
  return all.flatMap((at) => [
    [...all.slice(at), ...all.slice(0, at)],
    [...all.slice(at), ...all.slice(0, at)].reverse(),
  ]);
}

describe('generateMany', () => {
  it('gives each request what it gets alone, in any order', async () => {
    for (const order of orders(REQUESTS.length)) {
      const group = generateMany(
        randomModel(),
        letters,
        order.map((i) => REQUESTS[i] as GenerateRequest),
      );
      expect(values(await group)).toEqual(order.map((i) => alone[i]));
    }
  });

  it('gives each a token in turn, and says whose it is', async () => {
    const group = generateMany(randomModel(), letters, REQUESTS);
    const events = await collect(group);
    const tokens = [0, 1, 2, 3, 4].map((i) => events.filter((event) => event.index === i));
    tokens.forEach((own, i) => {
      expect(own.map(({ text }) => text).join('')).toBe(alone[i]?.text);
      expect(own.at(-1)).toMatchObject({ type: 'end', finish_reason: alone[i]?.finish_reason });
    });
    const rounds = Math.max(...tokens.map(({ length }) => length));
    const turns = Array.from({ length: rounds }, (_, round) =>
      [0, 1, 2, 3, 4].filter((i) => round < (tokens[i]?.length ?? 0)),
    );
    expect(events.map(({ index }) => index)).toEqual(turns.flat());
    expect(values(await group)).toEqual(alone); // the same run: it happens once
  });

  it('reports a request that is refused in its place, and the others go on', async () => {
    const bad: GenerateRequest[] = [
      { prompt: 'a', params: { top_p: 2 } },
      { prompt: 'a', params: { n: 2 } },
      { prompt: [99] },
      { prompt: 'a', params: { logit_bias: { 10: 1 } } },
    ];
    const requests = [bad[0], REQUESTS[0], bad[1], REQUESTS[1], bad[2], bad[3]] as GenerateRequest[];
    const model = randomModel();
    const group = generateMany(model, letters, requests);
    const errors = (await collect(group)).filter((event) => event.type === 'error');
    expect(errors.map(({ index }) => index)).toEqual([0, 2, 4, 5]);
    expect(errors.map(({ error }) => (error as { parameter: string }).parameter)).toEqual([
      'top_p',
      'n',
      'prompt[0]',
      'logit_bias.10',
    ]);
    const results = await group;
    expect(results.map(({ status }) => status)).toEqual([
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    expect(values([results[1], results[3]] as never)).toEqual([alone[0], alone[1]]);
    expect([model.opened, model.closed]).toEqual([2, 2]);
  });

  it('reports a model that fails in the middle of one, which frees its session, and the others go on', async () => {
    const model = randomModel(7);
    const spared = { prompt: 'a', params: { seed: 1, max_tokens: 3, logit_bias: { 7: -100 } } };
    const late = { prompt: 'a', params: { seed: 9, logit_bias: { 7: 4 } } };
    const group = generateMany(model, letters, [spared, { prompt: 'h' }, late]);
    const events = await collect(group);
    expect(events.filter(({ type }) => type === 'error').map(({ index }) => index)).toEqual([1, 2]);
    expect(events.filter(({ index }) => index === 2).length).toBeGreaterThan(1);
    const [first, second] = await group;
    expect(first).toEqual({ status: 'fulfilled', value: await generate(model, letters, spared.prompt, spared.params) });
    expect(second).toMatchObject({ status: 'rejected', reason: { message: 'out of memory' } });
    expect([model.opened, model.closed]).toEqual([4, 4]);
  });

  it('ends one by its signal, and the others go on', async () => {
    const control = new AbortController();
    const third = { prompt: 'f', params: { seed: 1, min_tokens: 3 }, options: { signal: control.signal } }; // it does not end by itself first
    const requests = [...REQUESTS.slice(0, 2), third];
    const group = generateMany(randomModel(), letters, requests);
    for await (const { index } of group) if (index === 2) control.abort(new Error('enough'));
    const [first, second, aborted] = await group;
    expect(values([first, second] as never)).toEqual(alone.slice(0, 2));
    expect(aborted).toMatchObject({ status: 'rejected', reason: { message: 'enough' } });
  });

  it('frees every session when it is left, or its stream is cancelled', async () => {
    const model = randomModel();
    for await (const { index } of generateMany(model, letters, REQUESTS)) if (index === 3) break;
    const reader = generateMany(model, letters, REQUESTS).toReadableStream().getReader();
    expect((await reader.read()).value).toMatchObject({ index: 0, type: 'token' });
    await reader.cancel();
    expect(model.opened).toBeGreaterThan(3);
    expect(model.closed).toBe(model.opened);
  });

  it('gives nothing for no requests, and refuses what is no list', async () => {
    expect(await generateMany(randomModel(), letters, [])).toEqual([]);
    expect(() => generateMany(randomModel(), letters, {} as never)).toRefuse(
      'generateMany: `requests` must be an array, got {}',
    );
  });
});

describe('generateChoices', () => {
  it('gives n texts, the i-th that of the seed seed + i alone', async () => {
    const params = { n: 4, seed: 2n ** 64n - 2n, max_tokens: 9 };
    const choices = await generateChoices(randomModel(), letters, 'ab', params);
    const { n: _, ...one } = params;
    const each = [2n ** 64n - 2n, 2n ** 64n - 1n, 0, 1].map((seed) =>
      generate(randomModel(), letters, 'ab', { ...one, seed }),
    );
    expect(choices).toEqual(await Promise.all(each));
    expect(new Set(choices.map(({ ids }) => ids.join())).size).toBe(4);
  });

  it('chooses one seed for all where none is given, and reports each', async () => {
    const choices = await generateChoices(randomModel(), letters, 'ab', { n: 3, max_tokens: 5 });
    const [first] = choices as [GenerateResult];
    expect(choices.map(({ seed }) => seed)).toEqual([0, 1, 2].map((i) => nthSeed(first.seed, i)));
    expect(await generateChoices(randomModel(), letters, 'ab', { n: 3, max_tokens: 5, seed: first.seed })).toEqual(
      choices,
    );
  });

  it('streams a token of each in turn', async () => {
    const events = await collect(
      generateChoices(randomModel(), letters, 'a', { n: 2, seed: 1, max_tokens: 2, min_tokens: 2 }),
    );
    expect(events.map(({ index, type }) => `${index} ${type}`)).toEqual([
      ...['0 token', '1 token', '0 token', '1 token', '0 end', '1 end'],
    ]);
  });

  it('rejects with the error of a text that fails, and refuses wrong parameters at once', async () => {
    await expect(generateChoices(randomModel(0), letters, 'a', { n: 2 })).rejects.toThrow('out of memory');
    expect(() => generateChoices(randomModel(), letters, 'a', { n: 0 })).toRefuse(
      'GenerationParams: `n` must be an integer in [1, 1024], got 0',
    );
  });
});
