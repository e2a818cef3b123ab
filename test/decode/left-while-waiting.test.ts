/**
 * D8: whoever leaves while the model computes has missed nothing: the state is that of what was handed out.
 */
import { describe, expect, it } from 'vitest';
import {
  type GenerateEvent,
  type Generation,
  generate,
  generateChoices,
  generateMany,
  generateSpeculative,
  PromptLookupDrafter,
  restoreGeneration,
} from '../../src/index.js';
import { PieceTokenizer, ScriptedModel } from '../support/scripted-model.js';

/** 'h', 'é' in two halves, a beginning of the stop string, and what follows. */
const PIECES = ['h', [0xc3], [0xa9], 'S', 'T', 'x', 'y'];
const END = PIECES.length;
const tokenizer = new PieceTokenizer([...PIECES, '']);
const TEXT = 'héSTxy';
const params = { stop: ['STOP'], logprobs: 1 };

/** Says the pieces; a call waits until the gate is opened. */
class Gated extends ScriptedModel {
  #open: (() => void)[] = [];

  constructor(sessionsRunAtOnce = false) {
    const oneHot = (ids: readonly number[]) =>
      Array.from({ length: END + 1 }, (_, id) => (id === Math.min(ids.length - 1, END) ? 0 : -Infinity));
    const wait = () => new Promise<void>((resolve) => this.#open.push(resolve));
    super(END + 1, 100, [END], oneHot, undefined, { wait, sessionsRunAtOnce });
  }

  /** Lets `promise` come, through all gates on its way. */
  async through<T>(promise: Promise<T>): Promise<T> {
    let isDone = false;
    const done = promise.finally(() => {
      isDone = true;
    });
    done.catch(() => {});
    while (!isDone) {
      this.release();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return done;
  }

  release(): void {
    for (const open of this.#open.splice(0)) open();
  }
}

/** So many turns of the microtasks. */
async function ticks(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await Promise.resolve();
}

/** The text that the rest of a saved generation gives. */
async function restText(generation: Generation): Promise<string> {
  const model = new Gated();
  const state = JSON.parse(JSON.stringify(generation.save()));
  const rest = restoreGeneration(model, tokenizer, state);
  return (await model.through(Promise.resolve(rest))).text;
}

/** Leaves after `count` pieces while the next is waited for, some microtasks before, at and after the moment it comes. */
const MOMENTS = Array.from({ length: 40 }, (_, tick) => tick);

describe.each([{ chunks: 'text' as const }, { chunks: 'events' as const }])('a stream of $chunks', ({ chunks }) => {
  it.each([0, 1, 2, 3])('that is cancelled in a read after %i gives the rest after a restore', async (count) => {
    for (const tick of MOMENTS) {
      const model = new Gated();
      const generation = generate(model, tokenizer, [0], params);
      const stream = generation.toReadableStream(chunks as 'text') as ReadableStream<string | GenerateEvent>;
      const reader = stream.getReader();
      let text = '';
      const add = ({ value }: ReadableStreamReadResult<string | GenerateEvent>) => {
        if (value !== undefined) text += typeof value === 'string' ? value : value.text;
      };
      for (let i = 0; i < count; i++) add(await model.through(reader.read()));
      const read = reader.read();
      await ticks(20);
      model.release();
      await ticks(tick);
      const cancelled = reader.cancel();
      add(await model.through(read));
      await model.through(cancelled);
      expect(model.closed).toBe(model.opened);
      expect(text + (await restText(generation)), `at ${tick}`).toBe(TEXT);
    }
  });
});

describe('an iterator', () => {
  it('that is left in a `next` gives nothing there, and the rest after a restore', async () => {
    let missed = 0;
    for (const count of [0, 1, 3]) {
      for (const tick of MOMENTS) {
        const model = new Gated();
        const generation = generate(model, tokenizer, [0], params);
        const events = generation[Symbol.asyncIterator]();
        let text = '';
        for (let i = 0; i < count; i++) text += (await model.through(events.next())).value?.text;
        const next = events.next();
        await ticks(20);
        model.release();
        await ticks(tick);
        const left = events.return();
        const { done, value } = await model.through(next);
        if (done) missed++;
        text += value?.text ?? '';
        expect(await model.through(left)).toEqual({ done: true, value: undefined });
        expect(await events.next()).toEqual({ done: true, value: undefined });
        expect(model.closed).toBe(model.opened);
        expect(text + (await restText(generation)), `at ${tick}`).toBe(TEXT);
      }
    }
    expect(missed).toBeGreaterThan(0);
  });

  it('gives events in the order in which they were asked for, several at once', async () => {
    const model = new Gated();
    const events = generate(model, tokenizer, [0], params)[Symbol.asyncIterator]();
    const all = Promise.all(Array.from({ length: END + 3 }, () => events.next()));
    const given = await model.through(all);
    expect(given.map(({ value }) => (value?.type === 'token' ? value.count : value?.type))).toEqual([
      ...[1, 2, 3, 4, 5, 6, 7, 'end', undefined, undefined],
    ]);
  });
});

describe.each([{ atOnce: false }, { atOnce: true }])('a group, whose sessions run at once: $atOnce', ({ atOnce }) => {
  it.each([0, 1, 4, 7])('that is left in a read after %i has the rest of each after a restore', async (count) => {
    for (const tick of MOMENTS) {
      const model = new Gated(atOnce);
      const requests = [0, 1, 2].map(() => ({ prompt: [0], params }));
      const group =
        tick % 2 === 0
          ? generateMany(model, tokenizer, requests)
          : generateChoices(model, tokenizer, [0], { ...params, n: 3 });
      const texts = ['', '', ''];
      const reader = group.toReadableStream().getReader();
      const add = ({ value }: Awaited<ReturnType<typeof reader.read>>) => {
        if (value !== undefined) texts[value.index] += value.text;
      };
      for (let i = 0; i < count; i++) add(await model.through(reader.read()));
      const read = reader.read();
      await ticks(30);
      model.release();
      await ticks(tick);
      const cancelled = reader.cancel();
      add(await model.through(read));
      await model.through(cancelled);
      expect(model.closed).toBe(model.opened);
      for (const [index, member] of group.members.entries()) {
        expect(texts[index] + (await restText(member as Generation)), `${index} at ${tick}`).toBe(TEXT);
      }
    }
  });

  it('has for each member, between any two events, the state of what was handed out', async () => {
    const model = new Gated(atOnce);
    const group = generateMany(
      model,
      tokenizer,
      [0, 1, 2].map(() => ({ prompt: [0], params })),
    );
    const counts = [0, 0, 0];
    const events = group[Symbol.asyncIterator]();
    for (let next = await model.through(events.next()); !next.done; next = await model.through(events.next())) {
      if (next.value.type === 'token') counts[next.value.index] = next.value.count;
      const saved = group.members.map((member) => (member as Generation).save());
      expect(saved.map(({ sampler, ended }) => (ended ? 7 : sampler.output.length))).toEqual(counts);
    }
    expect(counts).toEqual([7, 7, 7]);
  });
});

describe('a speculative generation', () => {
  it('that is left in a read has sampled no token that was not handed out', async () => {
    for (const tick of MOMENTS) {
      const model = new Gated();
      const generation = generateSpeculative(model, tokenizer, [0], {}, { drafter: new PromptLookupDrafter() });
      const reader = generation.toReadableStream().getReader();
      let text = '';
      const add = ({ value = '' }: ReadableStreamReadResult<string>) => {
        text += value;
      };
      for (let i = 0; i < 3; i++) add(await model.through(reader.read()));
      const read = reader.read();
      await ticks(30);
      model.release();
      await ticks(tick);
      const cancelled = reader.cancel();
      add(await model.through(read));
      await model.through(cancelled);
      expect(model.closed).toBe(model.opened);
      const { accepted, resampled, bonus, undrafted } = generation.speculation;
      const tokens = text.length + (text.includes('é') ? 1 : 0);
      expect(accepted + resampled + bonus + undrafted, `at ${tick}`).toBe(tokens);
    }
  });
});
