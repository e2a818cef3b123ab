/**
 * M3: the arrays that a token is worked out in are lent to its sampler until the next token or `release`. What is read in
 * between is right whatever others do; what is asked afterwards is an error, never another request's number.
 */
import { describe, expect, it } from 'vitest';
import type { LogitsProcessor } from '../../processors/index.js';
import { createContainer } from '../../src/container/index.js';
import { Sampler } from '../../src/core.js';
import { createSampler, ProcessorChain, SpecChain, traceSample } from '../../src/index.js';
import type { Numerics } from '../../src/numerics/index.js';
import { Pcg32 } from '../../src/random/index.js';
import { requestRng } from '../../src/spec.js';
import { countingNumerics, withNumerics } from './counting-numerics.js';

const V = 300;
const random = new Pcg32(5, 5);
const rows = Array.from({ length: 8 }, () => Float32Array.from({ length: V }, () => random.uniform() * 9));
const row = (n: number) => rows[n % rows.length] as Float32Array;
const NAMES = ['entropy', 'logprob', 'topLogprobs', 'settled'] as const;

const ask = (sampler: Sampler) => ({
  entropy: sampler.entropy(),
  logprob: sampler.logprob(3),
  topLogprobs: sampler.topLogprobs(4),
  settled: sampler.settled,
});

function askFor(sampler: Sampler, name: (typeof NAMES)[number]): unknown {
  if (name === 'settled') return sampler.settled;
  if (name === 'entropy') return sampler.entropy();
  return name === 'logprob' ? sampler.logprob(3) : sampler.topLogprobs(4);
}

/** A request whose arrays are made by `numerics`. */
function request(numerics: Numerics, seed: number, before: readonly LogitsProcessor[] = []): Sampler {
  const chain = new SpecChain({ temperature: 0.8, top_p: 0.9, repetition_penalty: 1.2 }, { before });
  return new Sampler({ chain, seed, uniforms: requestRng(seed), prompt: [1, 2], numerics });
}

describe('after release', () => {
  it.each(NAMES)('%s is refused by name, and answered again after the next token', (name) => {
    const { numerics } = countingNumerics();
    const [sampler, twin] = [request(numerics, 1), request(numerics, 1)];
    sampler.sample(row(0));
    twin.sample(row(0));
    sampler.release();
    request(numerics, 2).sample(row(1)); // in the arrays that came back
    expect(() => askFor(sampler, name)).toRefuse(
      `Sampler: \`${name}\` must be asked for before \`release\`, got "released"`,
    );
    sampler.release();
    expect(() => askFor(sampler, name)).toThrow('got "released"');
    expect(sampler.sample(row(2))).toEqual(twin.sample(row(2)));
    expect(ask(sampler)).toEqual(ask(twin));
  });

  it('tokens, draws and history are those of a sampler that keeps its arrays', () => {
    const { numerics } = countingNumerics();
    const [lent, kept] = [request(numerics, 7), request(numerics, 7)];
    for (let n = 0; n < 20; n++) {
      expect(lent.sample(row(n))).toEqual(kept.sample(row(n)));
      expect(ask(lent)).toEqual(ask(kept));
      lent.release();
    }
    expect([lent.draws, lent.history.output]).toEqual([kept.draws, kept.history.output]);
  });

  it('of a sampler that sampled nothing, or took a forced id, there is no token to ask about', () => {
    const sampler = createSampler({ seed: 1 });
    sampler.release();
    expect(() => sampler.entropy()).toThrow('got "no token"');
    sampler.sample(row(0));
    sampler.release();
    sampler.accept(1);
    sampler.release();
    expect(() => sampler.entropy()).toThrow('got "no token"');
  });
});

describe('until then', () => {
  it('what is read of a token stays right whatever other samplers do', () => {
    const { numerics } = countingNumerics();
    const sampler = request(numerics, 1);
    sampler.sample(row(0));
    const expected = ask(sampler);
    for (let n = 1; n < 30; n++) {
      const other = request(numerics, n);
      other.sample(row(n));
      if (n % 3 !== 0) other.release();
      expect(ask(sampler)).toEqual(expected);
    }
  });

  it('a trace and a distribution are read as a token is', () => {
    const { numerics } = countingNumerics();
    const [sampler, other] = [request(numerics, 1), request(numerics, 2)];
    traceSample(sampler, row(0));
    const expected = ask(sampler);
    other.distribution(row(1));
    expect(ask(sampler)).toEqual(expected);
    sampler.release();
    other.release();
    expect(() => other.entropy()).toThrow('got "released"');
  });
});

describe('the arrays', () => {
  it('of a thousand requests in turn that are released are those of one', () => {
    const counted = countingNumerics();
    const samplers = Array.from({ length: 1000 }, (_, i) => request(counted.numerics, i));
    for (let n = 0; n < 3; n++) {
      for (const sampler of samplers) {
        sampler.sample(row(n));
        sampler.topLogprobs(2);
        sampler.release();
      }
    }
    expect(counted.made).toBe(1);
  });

  it('of a request that goes on are its own, token after token', () => {
    const counted = countingNumerics();
    const sampler = request(counted.numerics, 1);
    for (let n = 0; n < 50; n++) sampler.sample(row(n));
    expect(counted.made).toBe(1);
  });

  it('are given back by a forced id and by a refused token', () => {
    const counted = countingNumerics();
    let blow = false;
    const fuse: LogitsProcessor = {
      name: 'fuse',
      stage: 'scores',
      process: () => {
        if (blow) throw new Error('blown');
      },
    };
    const first = request(counted.numerics, 1, [fuse]);
    first.sample(row(0));
    first.accept(4);
    const second = request(counted.numerics, 2);
    second.sample(row(1));
    second.release();
    for (const bad of [row(0).with(3, Number.NaN), new Float32Array(V).fill(-Infinity)]) {
      expect(() => first.sample(bad)).toThrow('must be');
      second.sample(row(1));
      second.release();
    }
    blow = true;
    expect(() => first.sample(row(2))).toThrow('blown');
    second.sample(row(1));
    expect(counted.made).toBe(1);
    blow = false;
    const [expected, twin] = [ask(second), request(counted.numerics, 1, [fuse])];
    twin.sample(row(0));
    twin.accept(4);
    expect(first.sample(row(2))).toEqual(twin.sample(row(2))); // each in arrays of its own
    expect(ask(first)).toEqual(ask(twin));
    expect(ask(second)).toEqual(expected);
  });

  it('of a step that samples with another request while it runs are not those of its own', () => {
    const counted = countingNumerics();
    const inner = request(counted.numerics, 2);
    const [innerTwin, outerTwin] = [request(counted.numerics, 2), request(counted.numerics, 1)];
    const nested: LogitsProcessor = {
      name: 'nested',
      stage: 'scores',
      process: () => {
        inner.sample(row(5));
        inner.release();
      },
    };
    const outer = request(counted.numerics, 1, [nested]);
    for (let n = 0; n < 10; n++) {
      expect(outer.sample(row(n))).toEqual(outerTwin.sample(row(n)));
      expect(ask(outer)).toEqual(ask(outerTwin));
      innerTwin.sample(row(5));
    }
    expect(inner.history.output).toEqual(innerTwin.history.output);
  });

  it('of another length of float64 logits before V is known do no harm', () => {
    const sampler = createSampler({ seed: 1 }, { history: [7] });
    expect(() => sampler.sample([1, 2, 3])).toThrow('history[0]');
    expect(sampler.sample(Array.from(row(0))).id).toBe(createSampler({ seed: 1 }, { history: [7] }).sample(row(0)).id);
  });

  it('come of the numerics of the request, however many share the thread', () => {
    const [a, b] = [countingNumerics(), countingNumerics()];
    for (let n = 0; n < 5; n++) {
      for (const { numerics } of [a, b]) {
        const sampler = createSampler({ seed: n }, { container: createContainer(withNumerics(numerics)) });
        sampler.sample(row(n));
        sampler.release();
      }
    }
    expect([a.made, b.made]).toEqual([1, 1]);
  });
});

describe('in the midst of a token', () => {
  const CALLS: [string, (sampler: Sampler) => unknown][] = [
    ['sample', (sampler) => sampler.sample(row(1))],
    ['sample', (sampler) => sampler.distribution(row(1))],
    ['accept', (sampler) => sampler.accept(1)],
    ['release', (sampler) => sampler.release()],
    ['uniform', (sampler) => sampler.uniform()],
  ];

  it.each(CALLS)('%s of the very sampler is refused, and nothing is drawn or changed', (name, call) => {
    let isOn = true;
    const step: LogitsProcessor = { name: 'inside', process: () => isOn && void call(sampler) };
    const sampler = createSampler({ seed: 1 }, { chain: new ProcessorChain([step]) });
    expect(() => sampler.sample(row(0))).toRefuse(
      `Sampler (step 1 of 1): \`${name}\` must be called between two tokens, got "a call in the midst of one"`,
    );
    expect([sampler.draws, sampler.history.output]).toEqual([0, []]);
    const telling: LogitsProcessor = { name: 'telling', process: () => {}, accept: () => isOn && void call(forced) };
    const forced = createSampler({ seed: 1 }, { chain: new ProcessorChain([telling]) });
    expect(() => forced.accept(2)).toThrow('must be called between two tokens');
    expect(forced.history.output).toEqual([]);
    isOn = false;
    forced.accept(2);
    expect(forced.history.output).toEqual([2]);
    expect(sampler.sample(row(0))).toEqual(createSampler({ seed: 1 }, { chain: [] }).sample(row(0)));
  });
});
