/**
 * Texts that are aborted, fail or are left, in every way into decoding and at every point (1,248 of them, in a long run
 * 10,000): nothing is left of them, no session open, no listener on a signal, no timer, no array that was lent.
 */
import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createContainer } from '../../src/container/index.js';
import {
  beamSearch,
  beamSteps,
  type GenerateOptions,
  generate,
  generateChoices,
  generateMany,
  generateSpeculative,
  ModelDrafter,
  PromptLookupDrafter,
  restoreGeneration,
  type Tokenizer,
} from '../../src/index.js';
import { countingNumerics, withNumerics } from '../sampler/counting-numerics.js';
import { casesOf } from '../support/cases.js';
import { PieceTokenizer } from '../support/scripted-model.js';
import { type Call, StrictModel, type StrictModelParts } from '../support/strict-model.js';

/** Each way into decoding with each fault, twice, three times: then each of them has a model of every kind. */
const RUNS = casesOf(3 * 416, 10_000);
const letters = new PieceTokenizer(['a', 'b', 'c', 'd']);
const FAULT = new Error('a fault');

/** What goes wrong in a run. */
interface Fault {
  readonly parts?: Partial<StrictModelParts>;
  readonly opens?: number;
  readonly tokenizer?: Tokenizer;
  readonly signal?: () => AbortSignal;
}

class FaultyModel extends StrictModel {
  #opens: number;

  /** @param opens how many times it can be opened */
  constructor(parts: StrictModelParts, opens: number) {
    super(parts);
    this.#opens = opens;
  }

  override open() {
    if (this.#opens-- <= 0) throw FAULT;
    return super.open();
  }
}

/** Throws at the call with this number of this kind. */
function failAt(kind: Call[0], number: number): (call: Call) => void {
  let count = 0;
  return ([name]) => {
    if ((name === kind || (kind === 'append' && name === 'appendEach')) && ++count >= number) throw FAULT;
  };
}

/** Is aborted by the model, at its call with this number, or when the call that follows on it is over. */
function abortAt(number: number): Fault {
  const control = new AbortController();
  let count = 0;
  const wait = async (signal?: AbortSignal) => {
    if (++count === number) control.abort(FAULT);
    await Promise.resolve();
    signal?.throwIfAborted();
  };
  return { parts: { wait }, signal: () => control.signal };
}

const brokenAfter = (count: number): Tokenizer => {
  let asked = 0;
  return {
    vocabSize: 4,
    encode: (text) => letters.encode(text),
    tokenBytes: (id) => {
      if (++asked > count) throw FAULT;
      return letters.tokenBytes(id);
    },
  };
};

const wrongRows = (after: number) => ({
  logitsAfter: (ids: readonly number[]) => (ids.length > after ? [0, Number.NaN, 1, 2] : [0, 1, 2, 3]),
});

const FAULTS: Record<string, () => Fault> = {
  'aborted before': () => ({ signal: () => AbortSignal.abort(FAULT) }),
  'aborted at the first call': () => abortAt(1),
  'aborted at the third call': () => abortAt(3),
  'a model that does not open': () => ({ opens: 0 }),
  'a model that opens once': () => ({ opens: 1 }),
  'a call that fails at once': () => ({ parts: { fail: failAt('append', 1) } }),
  'a call that fails later': () => ({ parts: { fail: failAt('append', 3) } }),
  'a truncation that fails': () => ({ parts: { fail: failAt('truncate', 1) } }),
  'a copy that fails': () => ({ parts: { fail: failAt('fork', 2), forks: true } }),
  'a session that fails to close': () => ({ parts: { fail: failAt('close', 1) } }),
  'a tokenizer that fails': () => ({ tokenizer: brokenAfter(1) }),
  'logits that are none': () => ({ parts: wrongRows(4) }),
  nothing: () => ({}),
};

interface World {
  readonly model: StrictModel;
  readonly tokenizer: Tokenizer;
  readonly options: GenerateOptions & { readonly signal?: AbortSignal };
}

const PROMPT = [1, 2];
const params = { seed: 3, max_tokens: 5, stop: ['zz'], logprobs: 1 };

/** Iterates `count` events and leaves. */
async function leaveAfter(events: AsyncIterator<unknown>, count: number): Promise<void> {
  for (let i = 0; i < count; i++) if ((await events.next()).done) return;
  const next = events.next();
  await events.return?.();
  await next;
}

/** Reads `count` chunks and cancels in the next read. */
async function cancelAfter(stream: ReadableStream<unknown>, count: number): Promise<void> {
  const reader = stream.getReader();
  for (let i = 0; i < count; i++) if ((await reader.read()).done) return;
  const read = reader.read();
  read.catch(() => {});
  await Promise.resolve();
  await reader.cancel();
  await read;
}

const many = ({ model, tokenizer, options }: World) =>
  generateMany(
    model,
    tokenizer,
    [0, 1, 2].map((seed) => ({ prompt: PROMPT, params: { ...params, seed }, options })),
  );
const one = ({ model, tokenizer, options }: World) => generate(model, tokenizer, PROMPT, params, options);
const drafted = ({ model, tokenizer, options }: World) => {
  const drafter = new ModelDrafter(model, { temperature: 0.5 });
  return generateSpeculative(model, tokenizer, PROMPT, params, { ...options, drafter });
};
const search = { num_beams: 3, max_tokens: 5, repetition_penalty: 1.1 };

const ENTRIES: Record<string, (world: World) => PromiseLike<unknown>> = {
  'generate, awaited': one,
  'generate, left': (world) => leaveAfter(one(world)[Symbol.asyncIterator](), 2),
  'generate, sliding': ({ model, tokenizer, options }) =>
    generate(model, tokenizer, [1, 2, 3, 1, 2, 3, 1, 2], params, { ...options, whenFull: 'slide' }),
  'generate, scoring': ({ model, tokenizer, options }) =>
    generate(model, tokenizer, PROMPT, { ...params, echo: true }, options),
  'a stream of text, cancelled': (world) => cancelAfter(one(world).toReadableStream(), 1),
  'a stream of events, cancelled': (world) => cancelAfter(one(world).toReadableStream('events'), 2),
  'generateMany, awaited': many,
  'generateMany, left': (world) => leaveAfter(many(world)[Symbol.asyncIterator](), 4),
  'generateMany, cancelled': (world) => cancelAfter(many(world).toReadableStream(), 4),
  'generateChoices, awaited': ({ model, tokenizer, options }) =>
    generateChoices(model, tokenizer, PROMPT, { ...params, n: 3 }, options),
  'speculation, awaited': drafted,
  'speculation, left': (world) => leaveAfter(drafted(world)[Symbol.asyncIterator](), 2),
  'speculation by lookup, cancelled': ({ model, tokenizer, options }) =>
    cancelAfter(
      generateSpeculative(model, tokenizer, PROMPT, params, {
        ...options,
        drafter: new PromptLookupDrafter(),
      }).toReadableStream(),
      1,
    ),
  'beams, awaited': ({ model, tokenizer, options }) => beamSearch(model, PROMPT, search, { ...options, tokenizer }),
  'beams, left': ({ model, tokenizer, options }) =>
    leaveAfter(beamSteps(model, PROMPT, search, { ...options, tokenizer }), 2),
  'a restored text': (world) =>
    restoreGeneration(world.model, world.tokenizer, one(world).save(), {
      ...(world.options.signal && { signal: world.options.signal }),
      ...(world.options.container && { container: world.options.container }),
    }),
};

/** Timers that were set and have not run. */
function countTimers(): { readonly pending: number } {
  const timers = { pending: 0 };
  const real = globalThis.setTimeout;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms?: number) => {
    timers.pending++;
    return real(() => {
      timers.pending--;
      work();
    }, ms);
  }) as never);
  return timers;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('what is left of texts that were aborted, failed or were left', () => {
  it('is nothing', async () => {
    const timers = countTimers();
    const counting = countingNumerics();
    const container = createContainer(withNumerics(counting.numerics));
    const kinds = Object.entries(ENTRIES).flatMap(([entry, run]) =>
      Object.entries(FAULTS).flatMap(([fault, make]) =>
        [false, true].map((atOnce) => ({ name: `${entry}, ${fault}, ${atOnce}`, run, make, atOnce })),
      ),
    );
    expect(kinds).toHaveLength(416);
    const outcomes = new Map<string, number>();
    for (let i = 0; i < RUNS; i++) {
      const { name, run, make, atOnce } = kinds[i % kinds.length] as (typeof kinds)[number];
      const { parts, opens = 100, tokenizer = letters, signal } = make();
      const model = new FaultyModel(
        {
          ...{ vocabSize: 4, contextLength: 8, logitsAfter: (ids) => [0, 1, 2, (ids.length * 7) % 5] },
          ...{ beginId: 0, givesEach: i % 3 === 0, sessionsRunAtOnce: atOnce },
          ...(atOnce ? { wait: () => Promise.resolve() } : {}),
          ...parts,
        },
        opens,
      );
      const own = signal?.();
      const outcome = await settle(() =>
        run({ model, tokenizer, options: { container, ...(own && { signal: own }) } }),
      );
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (model.opened !== model.closed || model.refused.length > 0) {
        expect([model.opened, model.closed, model.refused], name).toEqual([model.opened, model.opened, []]);
      }
      if (own !== undefined && getEventListeners(own, 'abort').length > 0) expect(name).toBe('without listeners');
    }
    expect(timers.pending).toBe(0);
    expect(counting.made).toBeLessThanOrEqual(4);
    expect(outcomes.get('given')).toBeGreaterThan(RUNS / 5);
    expect(outcomes.get('failed')).toBeGreaterThan(RUNS / 5);
    expect([...outcomes.keys()].sort()).toEqual(['failed', 'given', 'refused']);
  });
});

async function settle(run: () => PromiseLike<unknown>): Promise<string> {
  try {
    await run();
    return 'given';
  } catch (error) {
    return error === FAULT ? 'failed' : (error as Error).name === 'InvalidValueError' ? 'refused' : String(error);
  }
}
