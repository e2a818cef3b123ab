/**
 * A batch on worker threads gives what its requests give alone. The threads run what `npm test` builds first.
 */
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createSampler, type SamplingParamsInput, sampleBatch, saveSampler } from '../../src/index.js';
import { Pcg32 } from '../../src/random/index.js';
import type { SamplerPool as Pool, SamplerPoolOptions } from '../../src/workers/index.js';

const BUILT = new URL('../../dist/src/workers/index.js', import.meta.url).href;
const { InvalidValueError } = await import(new URL('../../dist/src/index.js', import.meta.url).href);
const { SamplerPool } = (await import(BUILT)) as typeof import('../../src/workers/index.js');

const V = 130;
const POLICIES: readonly SamplingParamsInput[] = [
  { temperature: 0 },
  { top_k: 5, repetition_penalty: 1.3 },
  { top_p: 0.8, temperature: 1.4 },
  { min_p: 0.1, frequency_penalty: 0.5 },
  {},
];
const paramsOf = (row: number): SamplingParamsInput => ({
  ...POLICIES[row % POLICIES.length],
  seed: 2n ** 60n + BigInt(row),
});

const OWN = new URL('own-container.mjs', import.meta.url);

/** Four rows on two threads, for all tests that leave the threads as they are: to start one takes half a second. */
const shared = await SamplerPool.open({ vocabSize: V, rows: 4, threads: 2, module: OWN });
afterAll(() => shared.close());

/** That of the test. */
let pool = shared;
afterEach(async () => {
  if (pool === shared)
    await Promise.allSettled([0, 1, 2, 3].map((row) => shared.end(row))); // those that are held
  else await pool.close();
  pool = shared;
});

async function open(options: Partial<SamplerPoolOptions> = {}): Promise<Pool> {
  pool = await SamplerPool.open({ vocabSize: V, rows: 4, threads: 2, ...options });
  return pool;
}

function fill(rows: number, seed: number): Float32Array[] {
  const random = new Pcg32(seed);
  return Array.from({ length: rows }, (_, row) => {
    const logits = pool.logits(row);
    for (let id = 0; id < V; id++) logits[id] = random.uniform() * 8 - 4;
    return Float32Array.from(logits);
  });
}

describe('SamplerPool', () => {
  it.each([1, 2, 9])('gives each row what its request gives alone, to the last bit, on %i threads', async (threads) => {
    await open({ threads });
    const alone = Array.from({ length: 4 }, (_, row) => createSampler(paramsOf(row), { prompt: [row] }));
    for (let row = 0; row < 4; row++) await pool.start(row, paramsOf(row), { prompt: [row] });
    for (let step = 0; step < 5; step++) {
      const expected = fill(4, step).map((logits, row) => alone[row]?.sample(logits));
      expect(await pool.sample()).toEqual(expected);
    }
    fill(4, 9);
    const order = [3, 0, 2];
    expect(await pool.sample(order)).toEqual(order.map((row) => alone[row]?.sample(pool.logits(row))));
  });

  it('moves a request in and out by its state, and takes ids that were not sampled', async () => {
    const alone = createSampler(paramsOf(1), { prompt: [4] });
    await pool.start(1, paramsOf(1), { prompt: [4] });
    await pool.accept(1, 7);
    alone.accept(7);
    const state = await pool.save(1);
    expect(state).toEqual(saveSampler(alone));
    await pool.restore(3, state);
    await pool.end(1);
    await expect(pool.save(1)).rejects.toMatchObject({
      message: 'SamplerPool: `row` must be one that a request holds, got 1',
    });
    const logits = fill(4, 3)[3] as Float32Array;
    expect(await pool.sample([3])).toEqual([alone.sample(logits)]);
  });

  it('takes processors of a module of one’s own', async () => {
    await pool.start(0, { seed: 1 }, { chain: [{ use: 'last-only' }] });
    fill(1, 1);
    expect(await pool.sample([0])).toMatchObject([{ id: V - 1 }]);
  });

  it('gives processors the tokenizer that its module binds, in a restored request too', async () => {
    await pool.start(0, { seed: 1 }, { chain: [{ use: 'text-bias', bias: { b: 1e6 } }] });
    fill(1, 1);
    expect(await pool.sample([0])).toMatchObject([{ id: 1 }]);
    await pool.restore(0, await pool.save(0));
    fill(1, 2);
    expect(await pool.sample([0])).toMatchObject([{ id: 1 }]);
  });

  it('refuses processors that ask for a tokenizer where no module binds one, and says how', async () => {
    await open({ threads: 1 });
    const request = pool.start(0, {}, { chain: [{ use: 'text-bias', bias: { b: 1 } }] });
    await expect(request).rejects.toThrow(
      'text-bias: `tokenizer` must be there, as the processor needs it: the option',
    );
    await expect(request).rejects.toThrow('TOKENS.tokenizer bound in the container');
  });

  it('reports a seed that it chose', async () => {
    const seed = await pool.start(0);
    expect(String(seed)).toBe((await pool.save(0)).seed);
  });

  it('puts the error of a refused row in its place and samples the others', async () => {
    for (const row of [0, 1, 2]) await pool.start(row, paramsOf(row));
    const rows = fill(3, 2);
    pool.logits(1)[7] = Number.NaN;
    const tokens = await pool.sample([0, 1, 2, 3]);
    expect(tokens[1]).toMatchObject({ message: 'Sampler: `logits[7]` must be a finite number or -Infinity, got NaN' });
    expect(tokens[3]).toMatchObject({ message: 'SamplerPool: `row` must be one that a request holds, got 3' });
    for (const row of [0, 2])
      expect(tokens[row]).toEqual(createSampler(paramsOf(row)).sample(rows[row] as Float32Array));
    expect((await pool.save(1)).draws).toBe(0);
  });

  it('M3: says of each token what is asked, as a batch does, to the last bit', async () => {
    const alone = Array.from({ length: 4 }, (_, row) => createSampler(paramsOf(row)));
    for (let row = 0; row < 4; row++) await pool.start(row, paramsOf(row));
    for (const [step, reading] of [{ entropy: true, topLogprobs: 4 }, { topLogprobs: 1 }, {}].entries()) {
      const expected = sampleBatch(fill(4, step), alone, reading);
      expect(await pool.sample([0, 1, 2, 3], reading)).toEqual(expected);
    }
    await expect(pool.sample([0], { topLogprobs: -1 })).rejects.toMatchObject({
      message: 'SamplerPool: `topLogprobs` must be an integer >= 0, got -1',
    });
    await expect(pool.sample(3 as never)).rejects.toMatchObject({
      message: 'SamplerPool: `rows` must be an array of rows, got 3',
    });
    expect((await pool.save(1)).draws).toBe(3);
  });

  const THROWN = [
    { what: 'type', made: TypeError, expected: { name: 'TypeError', message: 'a bug' } },
    { what: 'own', made: Error, expected: { name: 'OwnError', message: 'own', code: 'E_OWN' } },
    { what: 'function', made: Error, expected: { name: 'Error', message: 'a thrown a function (unnamed)' } },
    { what: 'text', made: Error, expected: { name: 'Error', message: 'a thrown "a text"' } },
    { what: 'undefined', made: Error, expected: { name: 'Error', message: 'a thrown undefined' } },
    { what: 'unreadable', made: Error, expected: { name: 'Error', message: 'an error that cannot be read' } },
  ];

  it('S4: puts what a step throws in its row and samples the others, whatever it throws', async () => {
    await open({ rows: 4 + THROWN.length, module: OWN });
    const alone = Array.from({ length: 4 }, (_, row) => createSampler(paramsOf(row)));
    for (let row = 0; row < 4; row++) await pool.start(row, paramsOf(row));
    for (const [i, { what }] of THROWN.entries()) {
      await pool.start(4 + i, { seed: 1 }, { chain: [{ use: 'thrower', what }] });
    }
    for (let step = 0; step < 2; step++) {
      const expected = fill(10, step).map((logits, row) => alone[row]?.sample(logits));
      const tokens = await pool.sample();
      expect(tokens.slice(0, 4)).toEqual(expected.slice(0, 4));
      for (const [i, { what, made, expected }] of THROWN.entries()) {
        expect(tokens[4 + i], what).toBeInstanceOf(made);
        expect(tokens[4 + i], what).toMatchObject(expected);
        expect((tokens[4 + i] as Error).stack, what).toContain('\n');
      }
    }
    expect((await pool.save(4)).draws).toBe(0);
  });

  it('S4: puts that its thread has ended in the rows of one, and gives the tokens of the others', async () => {
    await open({ module: OWN });
    for (const row of [0, 2]) await pool.start(row, paramsOf(row));
    await pool.start(1, { seed: 1 }, { chain: [{ use: 'thrower', what: 'exit' }] });
    const rows = fill(4, 1);
    const tokens = await pool.sample();
    for (const row of [0, 2])
      expect(tokens[row]).toEqual(createSampler(paramsOf(row)).sample(rows[row] as Float32Array));
    for (const row of [1, 3]) expect(tokens[row]).toMatchObject({ message: 'SamplerPool: the thread has ended' });
  });

  it('S4: rejects with an error where a result cannot be sent, and goes on', async () => {
    await pool.start(0, { seed: 1 }, { chain: [{ use: 'secretive' }] });
    await expect(pool.save(0)).rejects.toMatchObject({ message: expect.stringContaining('could not be cloned') });
    fill(1, 1);
    expect(await pool.sample([0])).toMatchObject([{ id: expect.any(Number) }]);
  });

  it('brings a refusal over as what it is', async () => {
    await pool.start(0, { seed: 1 }, { chain: [{ use: 'allowed-tokens', ids: [3] }] });
    pool.logits(0).fill(1)[3] = -Infinity;
    const [failed] = await pool.sample([0]);
    const alone = createSampler({ seed: 1 }, { chain: [{ use: 'allowed-tokens', ids: [3] }] });
    const [expected] = sampleBatch([Float32Array.from(pool.logits(0))], [alone]);
    expect(failed).toBeInstanceOf(InvalidValueError);
    expect(failed?.constructor.name).toBe(expected?.constructor.name);
    expect(failed).toMatchObject({ message: (expected as Error).message, name: (expected as Error).name });
  });

  it('refuses wrong parameters as a sampler does', async () => {
    await expect(pool.start(0, { top_p: 0 })).rejects.toMatchObject({
      message: 'SamplingParams: `top_p` must be a number in (0, 1], got 0',
    });
    await expect(pool.start(0, {}, { chain: [{ use: 'nobody' }] })).rejects.toThrow(
      /`use` must be one of .*, got "nobody"/,
    );
    await expect(pool.sample([1, 1])).rejects.toMatchObject({
      message: 'SamplerPool: `rows` must be each once, got [1, 1]',
    });
    expect(() => pool.logits(4)).toThrow('SamplerPool: `row` must be an integer in [0, 4), got 4');
  });

  it.each([
    { options: { vocabSize: 0 }, message: 'SamplerPool: `vocabSize` must be an integer >= 1, got 0' },
    { options: { rows: 1.5 }, message: 'SamplerPool: `rows` must be an integer >= 1, got 1.5' },
    { options: { threads: 0 }, message: 'SamplerPool: `threads` must be an integer >= 1, got 0' },
  ])('refuses $options', async ({ options, message }) => {
    await expect(open(options)).rejects.toMatchObject({ message });
  });

  it('rejects when its module cannot be loaded or has no container, and after it was closed', async () => {
    await expect(open({ threads: 1, module: 'file:///nowhere.mjs' })).rejects.toThrow('nowhere.mjs');
    const empty = new URL('data:text/javascript,export const container = 1');
    await expect(open({ threads: 1, module: empty })).rejects.toThrow('a module that exports a `container`');
    await open({ threads: 1 });
    await pool.close();
    await expect(pool.start(0)).rejects.toThrow('the thread has ended');
  });
});
