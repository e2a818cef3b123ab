/**
 * D6 and D10: groups of generations run side by side where the model says that its sessions may, and in turn where it does
 * not; with one clock for their pauses; each begun when it is needed.
 */
import { ContainerModule } from 'inversify';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createContainer, PARTS } from '../../src/container/index.js';
import type { GenerateRequest, GroupEvent } from '../../src/decode/index.js';
import { beamSearch, type Generation, generate, generateChoices, generateMany } from '../../src/index.js';
import { Pcg32 } from '../../src/random/index.js';
import { PieceTokenizer, ScriptedModel } from '../support/scripted-model.js';
import type { StrictModelParts } from '../support/strict-model.js';

const letters = new PieceTokenizer(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', '', '']);

/** Random logits that depend on every id before; an error where the ids contain `fatal`. */
function randomModel(more: Partial<StrictModelParts> = {}, fatal?: number): ScriptedModel {
  const logitsAfter = (ids: readonly number[]) => {
    if (ids.includes(fatal as number)) throw new Error('out of memory');
    const random = new Pcg32(ids.reduce((hash, id) => (hash * 31 + id + 1) % 1_000_003, 7));
    return Float32Array.from({ length: 10 }, () => random.uniform() * 6);
  };
  return new ScriptedModel(10, 40, [8], logitsAfter, 9, more);
}

/** Answers all calls that came meanwhile at once, and counts how often. */
class Batches {
  count = 0;
  #under: Promise<void> | undefined;

  readonly wait = (): Promise<void> => {
    this.#under ??= new Promise<void>((resolve) => {
      setImmediate(() => {
        this.count++;
        this.#under = undefined;
        resolve();
      });
    });
    return this.#under;
  };
}

function requests(count: number): GenerateRequest[] {
  return Array.from({ length: count }, (_, i) => ({
    prompt: 'abcd'.slice(0, 1 + (i % 4)),
    params: { seed: i, max_tokens: 12, min_tokens: 12, logprobs: i % 3 },
  }));
}

async function collect(group: AsyncIterable<GroupEvent>): Promise<GroupEvent[]> {
  const events: GroupEvent[] = [];
  for await (const event of group) events.push(event);
  return events;
}

const untimed = (event: GroupEvent) => ({ ...event, timing: undefined });

afterEach(() => {
  vi.restoreAllMocks();
});

describe('sessions that may run at once', () => {
  it('are asked together: eight requests take as many waits as one', async () => {
    const [one, eight] = [new Batches(), new Batches()];
    await generateMany(randomModel({ wait: one.wait, sessionsRunAtOnce: true }), letters, requests(1));
    const model = randomModel({ wait: eight.wait, sessionsRunAtOnce: true });
    await generateMany(model, letters, requests(8));
    expect(model.most).toBe(8);
    expect(eight.count).toBe(one.count);
  });

  it('give each request what it gets alone, in the order of the turns', async () => {
    const { wait } = new Batches();
    const atOnce = generateMany(randomModel({ wait, sessionsRunAtOnce: true }), letters, requests(6));
    const inTurn = generateMany(randomModel(), letters, requests(6));
    expect((await collect(atOnce)).map(untimed)).toEqual((await collect(inTurn)).map(untimed));
    const alone = requests(6).map(({ prompt, params }) => generate(randomModel(), letters, prompt, params));
    expect((await atOnce).map((settled) => (settled as { value: unknown }).value)).toEqual(await Promise.all(alone));
  });

  it('fail and are aborted each for itself', async () => {
    const { wait } = new Batches();
    const model = randomModel({ wait, sessionsRunAtOnce: true }, 7);
    const control = new AbortController();
    const bias = { logit_bias: { 7: -100 } };
    const three: [GenerateRequest, GenerateRequest, GenerateRequest] = [
      { prompt: 'a', params: { seed: 1, max_tokens: 6, ...bias } },
      { prompt: 'h' },
      { prompt: 'b', params: bias, options: { signal: control.signal } },
    ];
    const group = generateMany(model, letters, three);
    for await (const { index } of group) if (index === 2) control.abort(new Error('enough'));
    const [first, second, third] = await group;
    expect(first).toEqual({ status: 'fulfilled', value: await generate(randomModel(), letters, 'a', three[0].params) });
    expect(second).toMatchObject({ status: 'rejected', reason: { message: 'out of memory' } });
    expect(third).toMatchObject({ status: 'rejected', reason: { message: 'enough' } });
    expect([model.opened, model.closed]).toEqual([3, 3]);
  });

  it('draw no token for one that is aborted while the others are handed out', async () => {
    const { wait } = new Batches();
    const control = new AbortController();
    const one = { prompt: 'a', params: { seed: 1, max_tokens: 5 } };
    const group = generateMany(randomModel({ wait, sessionsRunAtOnce: true }), letters, [
      one,
      { ...one, options: { signal: control.signal } },
    ]);
    for await (const { index } of group) if (index === 0) control.abort(new Error('enough'));
    expect((group.members[1] as Generation).save().sampler.output).toEqual([]);
  });
});

describe('sessions that may not', () => {
  it('are asked one after another, by groups and by beams', async () => {
    const { wait } = new Batches();
    const model = randomModel({ wait });
    await generateMany(model, letters, requests(4));
    await generateChoices(model, letters, 'ab', { n: 3, max_tokens: 4, seed: 1 });
    await beamSearch(model, [1, 2], { num_beams: 3, max_tokens: 4 });
    expect(model.most).toBe(1);
    expect(model.closed).toBe(model.opened);
  });

  it('refuse, by name, what is neither yes nor no', () => {
    const model = randomModel({ sessionsRunAtOnce: 'yes' as never });
    expect(() => generate(model, letters, 'a')).toRefuse(
      'generate: `model.sessionsRunAtOnce` must be true, false or absent, got "yes"',
    );
  });
});

describe('the pauses of a group', () => {
  let now = performance.now();

  it.each([1, 8])('come as often for %i requests, by the time that they work', async (count) => {
    now = Math.max(now, performance.now());
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const pauses = vi.spyOn(globalThis, 'setTimeout');
    const logitsAfter = (): number[] => {
      now += 5;
      return [0, 0, 0];
    };
    const model = new ScriptedModel(3, 1000, [], logitsAfter);
    const many = requests(count).map((request) => ({ ...request, prompt: [0], params: { max_tokens: 400 / count } }));
    await generateMany(model, new PieceTokenizer(['a', 'b', 'c']), many);
    expect(model.appended).toHaveLength(400);
    expect(pauses.mock.calls.length).toBeGreaterThan(40);
    expect(pauses.mock.calls.length).toBeLessThanOrEqual(400 / 6); // 30 ms are six calls
  });
});

describe('generateChoices', () => {
  it('refuses more texts than its bound, by name', () => {
    expect(() => generateChoices(randomModel(), letters, 'a', { n: 1025 })).toRefuse(
      'GenerationParams: `n` must be an integer in [1, 1024], got 1025',
    );
  });

  it('begins a text at its first turn, and can save those that never had one', async () => {
    let begun = 0;
    const uniforms = () => {
      begun++;
      return new Pcg32(begun);
    };
    const container = createContainer(
      new ContainerModule(({ rebind }) => void rebind(PARTS.uniforms).toConstantValue(uniforms)),
    );
    const model = randomModel();
    const group = generateChoices(model, letters, 'ab', { n: 1024, seed: 5, max_tokens: 3 }, { container });
    expect(begun).toBe(1);
    const events = group[Symbol.asyncIterator]();
    for (let i = 0; i < 3; i++) await events.next();
    expect(begun).toBe(3);
    await events.return();
    const last = group.members[1023] as Generation;
    expect([last.seed, last.save().sampler.output]).toEqual([5 + 1023, []]);
    await expect(group).rejects.toThrow('`iteration` must be run to its end, got "left before"');
    expect([model.opened, model.closed]).toEqual([3, 3]);
  });
});
