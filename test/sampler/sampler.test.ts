import { describe, expect, it } from 'vitest';
import type { Candidates, LogitsProcessor, StepContext, StepNumerics } from '../../processors/index.js';
import { Sampler } from '../../src/core.js';
import { createSampler, ProcessorChain, SpecChain, saveSampler, TopK } from '../../src/index.js';
import {
  defaultNumerics,
  engineNumerics,
  exactNumerics,
  exp,
  log,
  log2,
  type Numerics,
  pow,
} from '../../src/numerics/index.js';
import { Pcg32 } from '../../src/random/index.js';
import { requestRng, sample, sampledEntropy, tokenLogprobs } from '../../src/spec.js';
import { expectSameBits } from '../support/bits.js';
import { roughNormal } from '../support/requests.js';
import { Scripted } from '../support/scripted.js';
import { Counter, drawer, note } from '../support/steps.js';

const V = 40;
const random = new Pcg32(1, 1);
/** The logits of ten tokens. */
const rows = Array.from({ length: 10 }, () => Float32Array.from({ length: V }, () => 2 * roughNormal(random)));
const row = (n: number) => rows[n % rows.length] as Float32Array;
const params = { temperature: 0.9, top_p: 0.9, repetition_penalty: 1.2, frequency_penalty: 0.2 };

describe('sample', () => {
  it('gives what the function of the contract gives, token by token', () => {
    const sampler = createSampler({ ...params, seed: 6 }, { prompt: [3, 4] });
    const rng = requestRng(6);
    const out: number[] = [];
    for (let n = 0; n < 30; n++) {
      const expected = sample(row(n), params, out, rng, [3, 4]);
      expect(sampler.sample(row(n))).toEqual(expected);
      expect(sampler.entropy()).toBe(sampledEntropy(row(n), params, out, [3, 4]));
      out.push(expected.id);
      expect(sampler.history.output).toEqual(out);
    }
  });

  it('knows V from the first token on, and refuses another', () => {
    const sampler = createSampler({ seed: 1 });
    expect(sampler.vocabSize).toBeUndefined();
    sampler.sample(row(0));
    expect(sampler.vocabSize).toBe(V);
    expect(() => sampler.sample(new Float32Array(V + 1))).toRefuse(
      'Sampler: `logits.length` must be 40, as before, got 41',
    );
    expect(() => sampler.sample([1])).toRefuse('Sampler: `logits.length` must be 40, as before, got 1');
  });

  it('does not take V from a refused call', () => {
    const sampler = createSampler({ seed: 1 }, { history: [7] });
    expect(() => sampler.sample([1, 2, 3])).toRefuse('Sampler: `history[0]` must be an integer in [0, 3), got 7');
    expect(sampler.vocabSize).toBeUndefined();
    expect(() => sampler.sample(row(0))).not.toThrow();
  });

  it('does not modify the logits', () => {
    const logits = Float64Array.from(row(0));
    createSampler({ ...params, seed: 1 }, { history: [1, 2] }).sample(logits);
    expect(logits).toEqual(Float64Array.from(row(0)));
  });
});

describe('sampleId', () => {
  it('gives the id that `sample` gives, and leaves the sampler in the same place', () => {
    const [whole, ids] = [createSampler({ ...params, seed: 4 }), createSampler({ ...params, seed: 4 })];
    for (let n = 0; n < 20; n++) {
      const token = whole.sample(row(n));
      expect(ids.sampleId(row(n))).toBe(token.id);
      expect(ids.logprob(token.id)).toBe(token.logprob);
      expect(ids.entropy()).toBe(whole.entropy());
      expect(saveSampler(ids)).toEqual(saveSampler(whole));
    }
  });

  it('refuses what `sample` refuses', () => {
    const sampler = createSampler({ seed: 4 });
    expect(() => sampler.sampleId([Number.NaN])).toRefuse(
      'Sampler: `logits[0]` must be a finite number or -Infinity, got NaN',
    );
    expect([sampler.draws, sampler.history.output]).toEqual([0, []]);
  });
});

describe('logprob', () => {
  it.each([
    ['float32', row(0)],
    ['float64', Float64Array.from(row(0))],
  ])('is that of any id by the scores of the last token, whatever the filters: %s logits', (_, logits) => {
    const sampler = createSampler({ ...params, top_k: 2, seed: 4 }, { history: [1, 2, 2], prompt: [7] });
    sampler.sampleId(logits);
    const expected = tokenLogprobs(logits, params, [1, 2, 2], [7]);
    expectSameBits(
      Array.from(expected, (_value, id) => sampler.logprob(id)),
      expected,
    );
  });

  it('is -Infinity for a masked id', () => {
    const sampler = createSampler({ seed: 4 });
    sampler.sample(Float32Array.of(1, -Infinity));
    expect([sampler.logprob(0), sampler.logprob(1)]).toEqual([0, -Infinity]);
  });

  it.each([-1, V, 0.5, Number.NaN])('refuses the id %s', (id) => {
    const sampler = createSampler({ seed: 4 });
    sampler.sample(row(0));
    expect(() => sampler.logprob(id)).toRefuse(`Sampler: \`id\` must be an integer in [0, 40), got ${id}`);
  });
});

describe('draws', () => {
  it('are one a sampled token', () => {
    const sampler = createSampler({ seed: 1 });
    for (let n = 1; n <= 5; n++) {
      sampler.sample(row(n));
      expect(sampler.draws).toBe(n);
    }
  });

  it('are none for a greedy and for a forced token', () => {
    const greedy = createSampler({ temperature: 0 });
    greedy.sample(row(0));
    greedy.accept(3);
    expect(greedy.draws).toBe(0);
    const sampler = createSampler({ seed: 1 });
    sampler.sample(row(0));
    sampler.accept(3);
    sampler.sample(row(1));
    expect(sampler.draws).toBe(2);
  });

  it('include what the steps draw, in program order', () => {
    const drawn: number[] = [];
    const uniforms = new Scripted([0.1, 0.2, 0.3, 0.4, 0.5, 0.6]);
    const sampler = new Sampler({ chain: new ProcessorChain([drawer(drawn)]), seed: 0, uniforms });
    expect(sampler.sample([0, 0, 0, 0]).id).toBe(1); // u = 0.3
    expect(sampler.sample([0, 0, 0, 0]).id).toBe(2); // u = 0.6
    expect(drawn).toEqual([0.1, 0.2, 0.4, 0.5]);
    expect(sampler.draws).toBe(6);
  });

  it('go on from a position', () => {
    const rng = requestRng(4);
    rng.skip(11);
    const sampler = new Sampler({ chain: new SpecChain(params), seed: 4, uniforms: rng, draws: 11 });
    sampler.sample(row(0));
    expect(sampler.draws).toBe(12);
  });
});

describe('accept', () => {
  it('enters an id as if it had been sampled', () => {
    const sampled = createSampler({ ...params, seed: 2 });
    const forced = createSampler({ ...params, seed: 2 });
    const first = sampled.sample(row(0)).id;
    forced.accept(first);
    expect(forced.history.output).toEqual([first]);
    const rng = requestRng(2);
    expect(forced.sample(row(1))).toEqual(sample(row(1), params, [first], rng));
    rng.uniform();
    expect(sampled.sample(row(1)).id).toBe(createSamplerAt(2, 1, [first]).sample(row(1)).id);
  });

  it('tells the steps', () => {
    const told: number[] = [];
    const step = note('told', [], { accept: (id) => told.push(id) });
    const sampler = createSampler({ seed: 3 }, { chain: new ProcessorChain([step]), history: [9, 8] });
    sampler.accept(5);
    const { id } = sampler.sample(row(0));
    expect(told).toEqual([9, 8, 5, id]);
  });

  it.each([-1, 0.5, Number.NaN, 2 ** 53, '3', undefined])('refuses %s before V is known', (id) => {
    const sampler = createSampler();
    const shown = typeof id === 'string' ? `"${id}"` : id;
    expect(() => sampler.accept(id as number)).toRefuse(`Sampler: \`id\` must be an integer >= 0, got ${shown}`);
    expect(sampler.history.output).toEqual([]);
  });

  it.each([-1, V, V + 1, 0.5, Number.NaN])('refuses %s once V is known', (id) => {
    const sampler = createSampler({ seed: 1 });
    sampler.sample(row(0));
    expect(() => sampler.accept(id)).toRefuse(`Sampler: \`id\` must be an integer in [0, 40), got ${id}`);
    expect(sampler.history.output).toHaveLength(1);
    sampler.accept(V - 1);
    expect(sampler.history.output[1]).toBe(V - 1);
  });
});

describe('what is asked about the last token', () => {
  const message = (name: string) => `Sampler: \`${name}\` must be asked for after a token was sampled, got "no token"`;

  it('is refused before there is one, and after a forced one', () => {
    const sampler = createSampler({ seed: 1 });
    expect(() => sampler.entropy()).toRefuse(message('entropy'));
    expect(() => sampler.topLogprobs(1)).toRefuse(message('topLogprobs'));
    expect(() => sampler.logprob(1)).toRefuse(message('logprob'));
    sampler.sample(row(0));
    expect(sampler.entropy()).toBeGreaterThan(0);
    sampler.accept(1);
    expect(() => sampler.entropy()).toRefuse(message('entropy'));
    expect(() => sampler.topLogprobs(1)).toRefuse(message('topLogprobs'));
  });

  it('is refused after a refused token, and never answered for another one', () => {
    const sampler = createSampler({ seed: 1 });
    sampler.sample(row(0));
    expect(() => sampler.sample([Number.NaN])).toThrow('must be');
    expect(() => sampler.entropy()).toRefuse(message('entropy'));
  });

  it('gives the most likely ids over the whole vocabulary, whatever the filters', () => {
    const sampler = createSampler({ ...params, top_k: 2, seed: 1 }, { prompt: [1, 2] });
    sampler.sample(row(0));
    const logprobs = tokenLogprobs(row(0), params, [], [1, 2]);
    const ranked = [...logprobs.keys()].sort((a, b) => (logprobs[b] as number) - (logprobs[a] as number) || a - b);
    const expected = ranked.map((id) => ({ id, logprob: logprobs[id] }));
    for (const count of [0, 1, 5, V, V + 9]) expect(sampler.topLogprobs(count)).toEqual(expected.slice(0, count));
    expect(sampler.topLogprobs(3)).toEqual(expected.slice(0, 3));
  });

  it.each([-1, 0.5, Number.NaN, undefined])('refuses the count %s', (count) => {
    const sampler = createSampler({ seed: 1 });
    sampler.sample(row(0));
    expect(() => sampler.topLogprobs(count as number)).toRefuse(
      `Sampler: \`count\` must be an integer >= 0, got ${count}`,
    );
  });
});

describe('an observer', () => {
  it('sees the token from start to draw, and changes nothing', () => {
    const seen: string[] = [];
    const watched = createSampler({ ...params, top_k: 4, seed: 9 }, { prompt: [1] });
    const alone = createSampler({ ...params, top_k: 4, seed: 9 }, { prompt: [1] });
    const token = watched.sample(row(0), {
      start: (candidates) => seen.push(`start ${candidates.size}`),
      step: (index, { name }, candidates) => seen.push(`${index} ${name} ${candidates.size > 4}`),
      scored: ({ max }) => seen.push(`scored ${Number.isFinite(max)}`),
      draw: (u, candidates) => seen.push(`draw ${u === requestRng(9).uniform()} ${candidates.size <= 4}`),
    });
    expect(token).toEqual(alone.sample(row(0)));
    expect(watched.sample(row(1))).toEqual(alone.sample(row(1)));
    expect(seen).toEqual([
      'start 40',
      '0 repetition-penalty true',
      '1 presence-frequency true',
      '2 temperature true',
      '3 top-k false',
      '4 top-p false',
      'scored true',
      'draw true true',
    ]);
  });

  it('is not told of a draw where there is none', () => {
    const seen: string[] = [];
    createSampler({ temperature: 0 }).sample(row(0), { draw: () => seen.push('draw') });
    expect(seen).toEqual([]);
  });

  it('may look at parts only', () => {
    const seen: number[] = [];
    createSampler({ top_k: 1, seed: 1 }).sample(row(0), { step: (index) => seen.push(index) });
    expect(seen).toEqual([3]);
    const drawn: number[] = [];
    expect(() => createSampler({ top_k: 1, seed: 1 }).sample(row(0), { draw: (u) => drawn.push(u) })).not.toThrow();
    expect(drawn).toEqual([requestRng(1).uniform()]);
    expect(() => createSampler({ top_k: 1, seed: 1 }).sample(row(0), {})).not.toThrow();
  });
});

/** A sampler that has drawn `draws` uniforms and generated `history`. */
function createSamplerAt(seed: number, draws: number, history: number[]): Sampler {
  const uniforms = requestRng(seed);
  uniforms.skip(draws);
  return new Sampler({ chain: new SpecChain(params), seed, uniforms, draws, history });
}

describe('a refused call changes nothing', () => {
  /** Throws where `when` says so, after the steps before it have run and drawn. */
  function fuse(when: () => boolean): LogitsProcessor {
    return {
      name: 'fuse',
      process: () => {
        if (when()) throw new Error('blown');
      },
    };
  }

  const bad: [string, () => unknown][] = [
    ['NaN', () => row(0).with(1, Number.NaN)],
    ['+Infinity', () => row(0).with(1, Infinity)],
    ['all masked', () => new Float32Array(V).fill(-Infinity)],
    ['another V', () => row(0).subarray(1)],
    ['no vector', () => null],
  ];

  it.each(bad)('logits with %s', (_, logits) => {
    const sampler = createSampler({ ...params, seed: 3 }, { prompt: [1] });
    const twin = createSampler({ ...params, seed: 3 }, { prompt: [1] });
    for (let n = 0; n < 4; n++) {
      expect(sampler.sample(row(n))).toEqual(twin.sample(row(n)));
      const before = saveSampler(sampler);
      expect(() => sampler.sample(logits() as Float32Array)).toThrow('must be');
      expect(saveSampler(sampler)).toEqual(before);
    }
    expect(saveSampler(sampler)).toEqual(saveSampler(twin));
  });

  it('penalties that overflow', () => {
    const sampler = createSampler({ seed: 3, frequency_penalty: -1e308 });
    sampler.sample([0, 0]);
    sampler.accept(0);
    sampler.accept(1);
    const before = saveSampler(sampler);
    sampler.accept(0);
    expect(() => sampler.sample([1e308, 1e308])).toRefuse(
      'PresenceFrequency (step 2 of 6): `frequency` must be small enough that no logit overflows, got -1e+308',
    );
    expect(saveSampler(sampler)).toEqual({ ...before, output: [...before.output, 0] });
  });

  it('a step that draws, and a later one that throws: the same uniforms come again, in order', () => {
    const drawn: number[] = [];
    let blow = false;
    const make = (into: number[]) => new ProcessorChain([drawer(into), fuse(() => blow), drawer(into)]);
    const sampler = createSampler({ seed: 8 }, { chain: make(drawn) });
    const tokens = [sampler.sample(row(0))];
    blow = true;
    for (let n = 0; n < 3; n++) {
      expect(() => sampler.sample(row(1))).toThrow('blown');
      expect([sampler.draws, sampler.history.output.length]).toEqual([5, 1]);
    }
    blow = false;
    tokens.push(sampler.sample(row(1)), sampler.sample(row(2)));
    expect(sampler.draws).toBe(15);

    const plain: number[] = [];
    const twin = createSampler({ seed: 8 }, { chain: make(plain) });
    expect(tokens).toEqual([0, 1, 2].map((n) => twin.sample(row(n))));
    expect([...drawn.slice(0, 4), ...drawn.slice(-8)]).toEqual(plain);
    const rng = requestRng(8);
    const uniforms = Array.from({ length: 15 }, () => rng.uniform());
    expect(plain).toEqual(uniforms.filter((_, i) => i % 5 !== 4));
  });

  it('an observer that throws after the draw', () => {
    const sampler = createSampler({ seed: 8 });
    const twin = createSampler({ seed: 8 });
    const observer = {
      draw: () => {
        throw new Error('no look');
      },
    };
    expect(() => sampler.sample(row(0), observer)).toThrow('no look');
    expect([sampler.draws, sampler.history.output]).toEqual([0, []]);
    expect(sampler.sample(row(0))).toEqual(twin.sample(row(0)));
  });

  it('a uniform that cannot be drawn', () => {
    const uniforms = new Scripted([0.5]);
    const sampler = new Sampler({ chain: new ProcessorChain([drawer([])]), seed: 0, uniforms });
    expect(() => sampler.sample([0, 0])).toThrow('one more was asked for');
    expect([sampler.draws, sampler.history.output]).toEqual([0, []]);
  });

  it('a save in between', () => {
    let blow = true;
    const sampler = createSampler({ seed: 8 }, { chain: new ProcessorChain([drawer([]), fuse(() => blow)]) });
    const fresh = saveSampler(sampler);
    expect(() => sampler.sample(row(0))).toThrow('blown');
    expect(saveSampler(sampler)).toEqual(fresh);
    blow = false;
    sampler.sample(row(0));
    expect(saveSampler(sampler).draws).toBe(3);
  });

  const picky = (): LogitsProcessor => ({
    name: 'picky',
    process: () => {},
    accept: (id) => {
      if (id === 5) throw new Error('not this one');
    },
    save: () => null,
    restore: () => {},
  });

  it('a forced id that a step does not accept: the history stays', () => {
    const sampler = createSampler({ seed: 1 }, { chain: new ProcessorChain([picky()]) });
    sampler.accept(2);
    expect(() => sampler.accept(5)).toThrow('not this one');
    expect(sampler.history.output).toEqual([2]);
  });

  it('a sampled id that a step does not accept: the history and the stream stay', () => {
    const sampler = createSampler({ seed: 1 }, { chain: new ProcessorChain([picky(), new TopK({ k: 1 })]) });
    expect(() => sampler.sample([0, 0, 0, 0, 0, 9])).toThrow('not this one');
    expect([sampler.draws, sampler.history.output]).toEqual([0, []]);
  });

  it('an id that a step does not accept: the steps before it keep their state', () => {
    const counter = new Counter();
    const sampler = createSampler({ seed: 1 }, { chain: new ProcessorChain([counter, picky()]) });
    sampler.accept(2);
    expect(() => sampler.accept(5)).toThrow('not this one');
    expect(counter.count).toBe(1);
  });

  it('an id that a step does not accept, after a restore: the steps go back to the ids since then', () => {
    const counter = new Counter();
    counter.restore({ count: 7 });
    const chain = new ProcessorChain([counter, picky()]);
    const parts = { chain, seed: 1, uniforms: requestRng(1), history: [1, 2, 3], states: chain.save() };
    const sampler = new Sampler(parts);
    sampler.accept(4);
    expect(() => sampler.accept(5)).toThrow('not this one');
    expect(counter.count).toBe(8);
  });

  it('an id that a step does not accept: a step that cannot go back is not told of it, one that has none to move is left alone', () => {
    const told: number[] = [];
    const closed = { name: 'closed', process: () => {}, accept: (id: number) => void told.push(id) };
    const writeOnly = { name: 'write-only', process: () => {}, restore: () => void told.push(-1) };
    const readOnly = { name: 'read-only', process: () => {}, save: () => 0 };
    const still = { name: 'still', process: () => {}, save: () => 0, restore: () => void told.push(-2) };
    const steps: LogitsProcessor[] = [closed, writeOnly, readOnly, still, picky()];
    const sampler = createSampler({ seed: 1 }, { chain: new ProcessorChain(steps) });
    sampler.accept(2);
    expect(() => sampler.accept(5)).toThrow('not this one');
    expect(told).toEqual([2, -2]);
  });
});

describe('what a step computes with', () => {
  const x = 0.30000000000000004;
  const all = (n: StepNumerics) => [n.exp(-x), n.log(x), n.pow(x, 0.7), n.log2(x), n.sqrt(x)];
  const seenBy = (numerics?: Numerics) => {
    let seen: number[] = [];
    const process = (_: Candidates, context: StepContext) => {
      seen = all(context.numerics);
    };
    const parts = { chain: new ProcessorChain([{ name: 'looks', process }]), seed: 1, uniforms: new Pcg32(1) };
    new Sampler({ ...parts, ...(numerics && { numerics }) }).sample(row(0));
    return seen;
  };

  it('is exact', () => {
    expectSameBits(seenBy(), [exp(-x), log(x), pow(x, 0.7), log2(x), Math.sqrt(x)]);
    expectSameBits(seenBy(defaultNumerics()), seenBy());
  });

  it('is what the numerics are bound to', () => {
    const { pow: power, log2: toBase2 } = Math;
    expectSameBits(seenBy(engineNumerics), [Math.exp(-x), Math.log(x), power(x, 0.7), toBase2(x), Math.sqrt(x)]);
    const mine = { ...exactNumerics, pow: () => 5, log2: () => 6, sqrt: () => 7 };
    expect(seenBy(mine).slice(2)).toEqual([5, 6, 7]);
  });

  it("is exact where numerics of one's own leave it out", () => {
    const { pow: _pow, log2: _log2, sqrt: _sqrt, ...mine } = exactNumerics;
    expectSameBits(seenBy({ ...mine, log: () => 4 }), [exp(-x), 4, pow(x, 0.7), log2(x), Math.sqrt(x)]);
  });

  it('is that of numerics that are an instance of a class', () => {
    class Half {
      readonly name = 'half';
      exp = exactNumerics.exp;
      expSum = exactNumerics.expSum;
      rowKernel = exactNumerics.rowKernel;
      log(): number {
        return 0.5;
      }
    }
    expectSameBits(seenBy(new Half()), [exp(-x), 0.5, pow(x, 0.7), log2(x), Math.sqrt(x)]);
  });

  it('refuses numerics with a pow that is no function', () => {
    const wrong = { ...exactNumerics, pow: 3 } as unknown as Numerics;
    expect(() => seenBy(wrong)).toThrow('Sampler: `numerics` must be numerics');
  });
});

describe('what a step sees', () => {
  it('is the history of the request, with its counts', () => {
    const seen: unknown[] = [];
    const look: LogitsProcessor = {
      name: 'look',
      process: (_: Candidates, { history }) => {
        seen.push([
          [...history.prompt],
          [...history.output],
          [...history.seen],
          [...history.generated],
          history.outputCount(2),
        ]);
      },
    };
    const sampler = createSampler({ seed: 1 }, { chain: new ProcessorChain([look]), prompt: [4, 2, 4], history: [2] });
    sampler.accept(7);
    sampler.accept(2);
    sampler.sample(row(0));
    expect(seen).toEqual([[[4, 2, 4], [2, 7, 2], [4, 2, 7], [2, 7], 2]]);
  });
});

describe('a step that draws', () => {
  const drawing = (declared: number | undefined, drawn: number) => ({
    name: 'drawing',
    ...(declared === undefined ? {} : { draws: declared }),
    process(_: unknown, context: { uniform(): number }) {
      for (let i = 0; i < drawn; i++) context.uniform();
    },
  });

  it.each([
    { declared: undefined, drawn: 1 },
    { declared: 2, drawn: 1 },
    { declared: 1, drawn: 2 },
  ])('is refused when it declared $declared and drew $drawn, and the stream stays', ({ declared, drawn }) => {
    const sampler = createSampler({ seed: 4 }, { chain: new ProcessorChain([drawing(declared, drawn)]) });
    expect(() => sampler.sample([1, 2, 3])).toRefuse(
      `Sampler: \`drawing.draws\` must be the ${declared ?? 0} declared, got ${drawn}`,
    );
    expect([sampler.draws, sampler.history.output]).toEqual([0, []]);
  });

  it('is counted when it keeps its word', () => {
    const sampler = createSampler({ seed: 4 }, { chain: new ProcessorChain([drawing(2, 2)]) });
    sampler.sample([1, 2, 3]);
    expect(sampler.draws).toBe(3);
  });
});

describe('S7: a step that cannot go back', () => {
  const teller = (told: number[]): LogitsProcessor => ({
    name: 'teller',
    process: () => {},
    accept: (id) => void told.push(id),
  });
  const refuser = (refused: number[]): LogitsProcessor => ({
    name: 'refuser',
    process: () => {},
    accept: (id) => {
      if (refused.includes(id)) throw new Error(`not ${id}`);
    },
  });

  it('is told an id once, though a step behind it did not accept it at first', () => {
    const told: number[] = [];
    const refused = [5];
    const sampler = createSampler({ seed: 1 }, { chain: new ProcessorChain([teller(told), refuser(refused)]) });
    sampler.accept(4);
    for (let n = 0; n < 2; n++) expect(() => sampler.accept(5)).toThrow('not 5');
    refused.pop();
    sampler.accept(5);
    sampler.accept(6);
    expect([told, sampler.history.output]).toEqual([
      [4, 5, 6],
      [4, 5, 6],
    ]);
  });

  it('lets nothing come but the id that it was told of', () => {
    const told: number[] = [];
    const refused = [5];
    const steps = [note('stateless', []), teller(told), refuser(refused)];
    const sampler = createSampler({ seed: 1 }, { chain: new ProcessorChain(steps) });
    expect(() => sampler.accept(5)).toThrow('not 5');
    const refusal =
      'Sampler: `teller` must be able to go back (`save` and `restore`), as it was told of id 5, which another step did ' +
      'not accept, got "a step that cannot"';
    expect(() => sampler.accept(6)).toRefuse(refusal);
    expect(() => sampler.sample(row(0))).toRefuse(refusal);
    expect(() => sampler.distribution(row(0))).toRefuse(refusal);
    expect([told, sampler.history.output, sampler.draws]).toEqual([[5], [], 0]);
    refused.pop();
    sampler.accept(5);
    expect(sampler.sample(row(0))).toEqual(createSampler({ seed: 1 }, { chain: [] }).sample(row(0)));
  });

  it('is told last, so that what steps with a state of their own refuse never reaches it', () => {
    const told: number[] = [];
    let isOpen = false;
    const counter = new Counter();
    const gate: LogitsProcessor = {
      name: 'gate',
      process: () => {},
      accept: () => {
        if (!isOpen) throw new Error('shut');
      },
      save: () => null,
      restore: () => {},
    };
    const saving = { ...teller(told), save: () => null };
    const restoring = { ...teller(told), restore: () => {} };
    const chain = new ProcessorChain([teller(told), saving, restoring, counter, gate]);
    const sampler = createSampler({ seed: 1 }, { chain });
    expect(() => sampler.sample(row(0))).toThrow('shut');
    expect([told, counter.count, sampler.draws]).toEqual([[], 0, 0]);
    isOpen = true;
    const { id } = sampler.sample(row(0));
    expect([told, counter.count, sampler.draws]).toEqual([[id, id, id], 1, 1]);
  });
});

describe('S7: a request that is refused for its history', () => {
  it('leaves the steps as they came', () => {
    const counter = new Counter();
    const picky: LogitsProcessor = {
      name: 'picky',
      process: () => {},
      accept: (id) => {
        if (id === 5) throw new Error('not this one');
      },
      save: () => null,
      restore: () => {},
    };
    const chain = new ProcessorChain([counter, picky]);
    expect(() => createSampler({ seed: 1 }, { chain, history: [1, 2, 5, 3] })).toThrow('not this one');
    expect(counter.count).toBe(0);
    createSampler({ seed: 1 }, { chain, history: [1, 2] });
    expect(counter.count).toBe(2);
  });
});

describe('S7: a refused accept', () => {
  it('leaves what is known of the last token', () => {
    const chain = new ProcessorChain([
      {
        name: 'picky',
        process: () => {},
        accept: (id) => {
          if (id === 5) throw new Error('not this one');
        },
        save: () => null,
        restore: () => {},
      },
    ]);
    const sampler = createSampler({ seed: 1 }, { chain });
    const { id, logprob } = sampler.sample([3, 0, 0, 0, 0, -90]);
    const [entropy, top] = [sampler.entropy(), sampler.topLogprobs(2)];
    expect(() => sampler.accept(5)).toThrow('not this one');
    expect(() => sampler.accept(6)).toThrow('an integer in [0, 6)');
    expect([sampler.logprob(id), sampler.entropy(), sampler.topLogprobs(2)]).toEqual([logprob, entropy, top]);
    expect(sampler.settled).toBeUndefined();
  });
});

describe('S5: a uniform that is no number in [0, 1)', () => {
  it.each([1, -1, Number.NaN, Infinity, -1e-300, 2, '0.5', undefined, null, 0n, Promise.resolve(0.5)])(
    'is refused where it is %s, and the stream, the history and the steps stay',
    (bad) => {
      const told: number[] = [];
      const step = note('told', [], { accept: (id) => told.push(id) });
      const uniforms = { uniform: () => bad as number };
      const sampler = new Sampler({ chain: new ProcessorChain([step]), seed: 0, uniforms });
      for (let n = 0; n < 2; n++) {
        expect(() => sampler.sample([0, 0])).toThrow(
          'Sampler: `uniform()` must be a source of numbers in [0, 1), got ',
        );
        expect([sampler.draws, sampler.history.output, told]).toEqual([0, [], []]);
      }
      expect(() => sampler.uniform()).toThrow('a source of numbers in [0, 1)');
      expect(sampler.draws).toBe(0);
      expect(() => sample([0, 0], {}, [], uniforms)).toThrow(
        'sample: `uniform()` must be a source of numbers in [0, 1)',
      );
    },
  );

  it('is refused to a step that draws, in the name of the sampler, at its place', () => {
    const uniforms = new Scripted([0.5, 1]);
    const sampler = new Sampler({ chain: new ProcessorChain([drawer([])]), seed: 0, uniforms });
    expect(() => sampler.sample([0, 0])).toRefuse(
      'Sampler (step 1 of 1): `uniform()` must be a source of numbers in [0, 1), got 1',
    );
    expect(sampler.draws).toBe(0);
    expect(sampler.uniform()).toBe(0.5);
    expect(() => sampler.uniform()).toThrow('got 1');
  });

  it.each([0, -0, 5e-324, 1 - 2 ** -53])('is not %s', (u) => {
    const sampler = new Sampler({ chain: new ProcessorChain([]), seed: 0, uniforms: new Scripted([u]) });
    expect(sampler.sample([0, 0]).id).toBe(u < 0.5 ? 0 : 1);
  });
});

describe('uniforms that were returned', () => {
  it('come again in order after refusals at different places', () => {
    let failAfter = 2;
    const drawn: number[] = [];
    const step: LogitsProcessor = {
      name: 'two',
      draws: 2,
      process: (_: Candidates, { uniform }) => {
        const token: number[] = [];
        for (let n = 0; n <= 2; n++) {
          if (n === failAfter) throw new Error('blown');
          if (n < 2) token.push(uniform());
        }
        drawn.push(...token);
      },
    };
    const uniforms = new Scripted([0.1, 0.2, 0.3]);
    const sampler = new Sampler({ chain: new ProcessorChain([step]), seed: 0, uniforms });
    for (failAfter of [2, 1]) expect(() => sampler.sample([0, 0, 0, 0])).toThrow('blown');
    failAfter = -1;
    expect(sampler.sample([0, 0, 0, 0]).id).toBe(1); // u = 0.3
    expect([drawn, sampler.draws]).toEqual([[0.1, 0.2], 3]);
  });
});
