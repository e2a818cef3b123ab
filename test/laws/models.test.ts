/**
 * The laws of models: a model that obeys, and one for each way of not doing so.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { loadEmbedded } from '../../src/embedded/index.js';
import { LawError, modelLaws } from '../../src/laws/index.js';
import type { LanguageModel, ModelSession } from '../../src/model/language-model.js';
import { tinyModel } from '../support/tiny-model.js';

const V = 20;
const CONTEXT = 40;

/** Ways in which an engine is wrong without an error. */
type Fault =
  | 'NaN'
  | 'all masked'
  | 'random'
  | 'portions'
  | 'rows in another order'
  | 'appendEach forgets'
  | 'truncate keeps one more'
  | 'truncate to 0 keeps all'
  | 'fork shares'
  | 'fork is empty inside'
  | 'close also closes the forks'
  | 'sessions share a cache'
  | 'one array for all sessions'
  | 'takes ids outside'
  | 'appends before it refuses'
  | 'takes any length'
  | 'abort loses ids'
  | 'small differences';

let calls = 0;

/** Logits that depend on every id and its place. */
function rowOf(ids: readonly number[], fault: Fault | undefined): Float32Array {
  let hash = 17;
  for (const id of ids) hash = (Math.imul(hash, 31) + id + 1) | 0;
  if (fault === 'random') hash += calls++;
  const row = Float32Array.from({ length: V }, (_, id) => (Math.imul(hash ^ (id * 7919), 2654435761) >>> 8) / 2 ** 22);
  if (fault === 'NaN') row[3] = Number.NaN;
  if (fault === 'all masked') row.fill(-Infinity);
  if (fault === 'small differences') row[0] = (row[0] as number) + 1e-3 * (calls++ % 3);
  return row;
}

const SHARED_ROW = new Float32Array(V);
let sharedCache: number[] = [];

class FaultySession implements ModelSession {
  #ids: number[];
  /** What the cache really holds, where that is another thing. */
  #seen: number[];
  readonly #fault: Fault | undefined;
  readonly #portions: number[] = [];
  readonly #forks: FaultySession[] = [];

  constructor(fault: Fault | undefined, ids: number[] = [], seen = [...ids]) {
    this.#fault = fault;
    this.#ids = ids;
    this.#seen = seen;
  }

  get length(): number {
    return this.#ids.length;
  }

  async append(ids: readonly number[], signal?: AbortSignal): Promise<Float32Array> {
    const fault = this.#fault;
    if (fault === 'appends before it refuses') this.#enter(ids);
    if (fault !== 'takes any length' && this.length + ids.length > CONTEXT) throw new Error('too long');
    const isWrong = ids.some((id) => !(Number.isInteger(id) && id >= 0 && id < V));
    if (isWrong && fault !== 'takes ids outside') throw new Error('no such id');
    if (fault !== 'appends before it refuses') this.#enter(ids);
    await Promise.resolve();
    if (signal?.aborted) {
      if (fault !== 'abort loses ids') this.#leave(ids.length);
      else this.#ids.length -= ids.length; // the cache keeps them
      throw signal.reason;
    }
    if (fault === 'sessions share a cache') {
      sharedCache = [...sharedCache, ...ids].slice(-this.length);
      return rowOf(sharedCache, fault);
    }
    const seen = fault === 'portions' ? [...this.#seen, ...this.#portions] : this.#seen;
    const row = rowOf(seen, fault);
    if (fault !== 'one array for all sessions') return row;
    SHARED_ROW.set(row);
    return SHARED_ROW;
  }

  async appendEach(ids: readonly number[]): Promise<Float32Array[]> {
    const rows: Float32Array[] = [];
    for (const id of ids) rows.push(Float32Array.from(await this.append([id])));
    if (this.#fault === 'appendEach forgets') this.#seen.pop();
    return this.#fault === 'rows in another order' ? rows.reverse() : rows;
  }

  truncate(length: number): void {
    const kept = this.#fault === 'truncate keeps one more' && length > 1 ? length + 1 : length;
    if (!(this.#fault === 'truncate to 0 keeps all' && length === 0))
      this.#seen.length = Math.min(kept, this.#seen.length);
    this.#ids.length = length;
  }

  fork(): ModelSession {
    if (this.#fault === 'fork shares') return new FaultySession(this.#fault, [...this.#ids], this.#seen);
    if (this.#fault === 'fork is empty inside') return new FaultySession(this.#fault, [...this.#ids], []);
    const fork = new FaultySession(this.#fault, [...this.#ids], [...this.#seen]);
    this.#forks.push(fork);
    return fork;
  }

  close(): void {
    if (this.#fault === 'close also closes the forks') for (const fork of this.#forks) fork.#seen.length = 0;
  }

  #enter(ids: readonly number[]): void {
    this.#ids.push(...ids);
    this.#seen.push(...ids);
    this.#portions.push(ids.length);
  }

  #leave(count: number): void {
    this.#ids.length -= count;
    this.#seen.length -= count;
    this.#portions.pop();
  }
}

function model(fault?: Fault, exact = true, parts: Partial<LanguageModel> = {}): LanguageModel {
  return { vocabSize: V, contextLength: CONTEXT, endIds: [1], exact, open: () => new FaultySession(fault), ...parts };
}

describe('a model that obeys the laws', () => {
  it('is told so, law by law', async () => {
    const held: string[] = [];
    const report = await modelLaws(() => model(), { onLaw: (law) => held.push(law) });
    expect(report).toEqual({ exact: true, largestDifference: 0, notTried: {} });
    expect(held).toHaveLength(10);
  });

  it('may leave out what is optional, which is then said to be untried', async () => {
    const plain = (): ModelSession => {
      const inner = new FaultySession(undefined);
      return {
        get length() {
          return inner.length;
        },
        append: (ids) => inner.append(ids),
        truncate: (length) => inner.truncate(length),
      };
    };
    const { notTried } = await modelLaws(() => model(undefined, true, { open: plain, contextLength: 1e6 }));
    expect(Object.values(notTried)).toEqual([
      'its sessions have no `appendEach`',
      'its sessions have no `fork`',
      'a context of 1000000 positions is not filled here',
    ]);
  });

  it('is told its largest difference where it is not exact', async () => {
    const report = await modelLaws(() => model('small differences', false));
    expect(report.exact).toBe(false);
    expect(report.largestDifference).toBeGreaterThan(9e-4);
    expect(report.largestDifference).toBeLessThan(3e-3);
  });
});

describe('the embedded model', () => {
  let embedded: LanguageModel;
  beforeAll(async () => {
    embedded = (await loadEmbedded()).model;
  });

  it('is exact, and obeys', async () => {
    expect(await modelLaws(() => embedded, { length: 6 })).toMatchObject({ exact: true, largestDifference: 0 });
  });

  it('of another size too', async () => {
    expect(await modelLaws(() => tinyModel())).toEqual({ exact: true, largestDifference: 0, notTried: {} });
  });
});

const FOUND: [fault: Fault, message: RegExp][] = [
  ['NaN', /the logit of id 3 is NaN after 1 ids/],
  ['all masked', /all logits are -Infinity after 1 ids/],
  ['random', /the same ids give the same logits in every session.*in a second session/],
  ['portions', /in portions of 1/],
  ['rows in another order', /in row 0 of `appendEach`/],
  ['appendEach forgets', /after `appendEach`/],
  ['truncate keeps one more', /after `truncate\(11\)`/],
  ['truncate to 0 keeps all', /after `truncate\(0\)`/],
  ['fork shares', /in what was forked/],
  ['fork is empty inside', /in a fork/],
  ['close also closes the forks', /in a fork when the other one was closed/],
  ['sessions share a cache', /the logit of id/],
  ['one array for all sessions', /once another session had computed/],
  ['takes ids outside', /the id 20 is taken/],
  ['appends before it refuses', /the length is 5 after the id 20, not 3/],
  ['takes any length', /one id more than the context holds is taken/],
  ['abort loses ids', /after an abort/],
  ['small differences', /the logit of id 0/],
];

describe('a model that breaks a law is found out, with the reason:', () => {
  it.each(FOUND)('%s', async (fault, message) => {
    calls = 0;
    sharedCache = [];
    const broken = modelLaws(() => model(fault));
    await expect(broken).rejects.toBeInstanceOf(LawError);
    await expect(modelLaws(() => model(fault))).rejects.toThrow(message);
  });

  it('in its lengths and forms, as in every generation', async () => {
    const short = { ...model(), vocabSize: V + 1 };
    await expect(modelLaws(() => short)).rejects.toThrow(
      /`append\(\)\.length` must be 21, the model's vocabSize, got 20/,
    );
  });

  it('also where it is not exact, as other ids are no rounding', async () => {
    await expect(modelLaws(() => model('truncate keeps one more', false))).rejects.toThrow(
      /about .* was expected after/,
    );
  });
});

describe('wrong arguments', () => {
  it.each([
    [() => modelLaws(7 as never), 'modelLaws: `makeModel` must be a function, got 7'],
    [
      () => modelLaws(() => ({}) as never),
      'modelLaws: `model` must be a LanguageModel (with `vocabSize`, `open`, …), got {}',
    ],
    [() => modelLaws(() => model(), { length: 3 }), 'modelLaws: `length` must be an integer >= 4, got 3'],
    [
      () => modelLaws(() => model(), { length: 33 }),
      'modelLaws: `length` must be at most 32, the context less 8, got 33',
    ],
    [() => modelLaws(() => model(), { most: 0 }), 'modelLaws: `most` must be a finite number > 0, got 0'],
    [
      () => modelLaws(() => model(undefined, 1 as never)),
      'modelLaws: `model.exact` must be true, false or absent, got 1',
    ],
  ])('are refused', async (call, message) => {
    await expect(call()).rejects.toThrow(message);
  });
});
