/** S6: what a step throws says which step it was, and where in the chain. */
import { describe, expect, it } from 'vitest';
import type { LogitsProcessor } from '../../processors/index.js';
import { CandidateSet, TokenHistory } from '../../src/core.js';
import {
  createSampler,
  InvalidValueError,
  NothingLeftError,
  PresenceFrequency,
  ProcessorChain,
  RepetitionPenalty,
  sampleBatch,
  Temperature,
  TopK,
  traceSample,
} from '../../src/index.js';
import { exactNumerics } from '../../src/numerics/index.js';

function chainWith(process: LogitsProcessor['process']): ProcessorChain {
  return new ProcessorChain([new Temperature({ temperature: 2 }), new TopK({ k: 3 }), { name: 'top-a', process }]);
}

/** Whatever is asked of it, it throws. */
const UNREADABLE: ProxyHandler<object> = {
  get: () => {
    throw new Error('no look');
  },
  getPrototypeOf: () => {
    throw new Error('no look');
  },
};

function thrownBy(call: () => unknown): unknown {
  try {
    return { instead: call() };
  } catch (error) {
    return error;
  }
}

describe('an error in a step (S6)', () => {
  it('of the candidates is said of the step, with its place', () => {
    const sampler = createSampler({ seed: 1 }, { chain: chainWith((candidates) => candidates.keepBest(0)) });
    const message = 'top-a (step 3 of 3): `count` must be an integer >= 1, got 0';
    expect(() => sampler.sample([1, 2, 3])).toRefuse(message);
    expect(() => traceSample(sampler, [1, 2, 3])).toRefuse(message);
    expect(sampleBatch([[1, 2, 3]], [sampler])).toEqual([expect.objectContaining({ message })]);
    expect(thrownBy(() => sampler.sample([1, 2, 3]))).toMatchObject({
      owner: 'top-a',
      place: 'step 3 of 3',
      parameter: 'count',
      domain: 'an integer >= 1',
      value: 0,
      cause: { owner: 'CandidateSet', parameter: 'count' },
    });
  });

  it.each<[string, LogitsProcessor['process'], string]>([
    ['an id', (c) => void c.logit(9), '`id` must be an integer in [0, 3), got 9'],
    ['an index', (c) => void c.idAt(3), '`index` must be an integer in [0, 3), got 3'],
    ['a value', (c) => c.setLogit(0, Number.NaN), '`value` must be a number below Infinity, got NaN'],
    ['a share', (c) => c.keepLikely(2), '`share` must be a number in [0, 1], got 2'],
    [
      'a mask',
      (c) => c.keepMask(new Int32Array(2)),
      '`mask` must be an Int32Array or Uint32Array of 1 words, got Int32Array(2)',
    ],
  ])('by %s is said of the step', (_, process, message) => {
    const sampler = createSampler({ seed: 1 }, { chain: chainWith(process) });
    expect(() => sampler.sample([1, 2, 3])).toRefuse(`top-a (step 3 of 3): ${message}`);
    expect(() => sampler.sample(Float32Array.of(1, 2, 3))).toRefuse(`top-a (step 3 of 3): ${message}`);
  });

  it('that names its own owner keeps it, and has its place', () => {
    const refusal = new InvalidValueError('TopA', 'a', 'small', 9);
    const throwing = () => {
      throw refusal;
    };
    const sampler = createSampler({ seed: 1 }, { chain: chainWith(throwing) });
    const error = thrownBy(() => sampler.sample([1, 2, 3])) as InvalidValueError;
    expect(error.message).toBe('TopA (step 3 of 3): `a` must be small, got 9');
    expect(error.cause).toBe(refusal);
    expect([refusal.place, refusal.message]).toEqual([undefined, 'TopA: `a` must be small, got 9']);
  });

  it('that leaves nothing is still one that leaves nothing', () => {
    const sampler = createSampler({ seed: 1 }, { chain: chainWith((c) => c.keepIds(() => false)) });
    const error = thrownBy(() => sampler.sample([1, 2, 3]));
    expect(error).toBeInstanceOf(NothingLeftError);
    expect((error as Error).message).toContain('top-a (step 3 of 3): `keep` must be true for at least one id');
  });

  it('with a place of its own, from a chain in the step, keeps it', () => {
    const inner = new ProcessorChain([{ name: 'inner', process: (c) => c.keepBest(0) }]);
    const outer = chainWith((candidates, context) => void inner.process(candidates as CandidateSet, context));
    expect(() => createSampler({ seed: 1 }, { chain: outer }).sample([1, 2, 3])).toRefuse(
      'inner (step 1 of 1): `count` must be an integer >= 1, got 0',
    );
  });

  it('of another kind stays the error that it is, and its cause says the step', () => {
    const bug = new TypeError('x is not a function');
    const throwing = () => {
      throw bug;
    };
    const sampler = createSampler({ seed: 1 }, { chain: chainWith(throwing) });
    for (let i = 0; i < 2; i++) {
      expect(thrownBy(() => sampler.sample([1, 2, 3]))).toBe(bug);
      expect(bug.cause).toMatchObject({ message: 'thrown in top-a (step 3 of 3)' });
    }
  });

  it.each([
    ['with a cause keeps it', new Error('outer', { cause: 'mine' })],
    ['that is frozen stays as it is', Object.freeze(new Error('frozen'))],
    ['that is none stays as it is', 'a string'],
    ['that cannot be read stays as it is', new Proxy({}, UNREADABLE)],
    ['that is undefined stays as it is', undefined],
  ])('of another kind %s', (_, thrown) => {
    const throwing = () => {
      throw thrown;
    };
    const sampler = createSampler({ seed: 1 }, { chain: chainWith(throwing) });
    expect(
      Object.is(
        thrownBy(() => sampler.sample([1, 2, 3])),
        thrown,
      ),
    ).toBe(true);
  });

  it('of another kind with a cause of its own, or frozen, is not written to', () => {
    for (const thrown of [new Error('outer', { cause: 'mine' }), Object.freeze(new Error('frozen'))]) {
      const { cause } = thrown;
      const throwing = () => {
        throw thrown;
      };
      expect(() => createSampler({ seed: 1 }, { chain: chainWith(throwing) }).sample([1, 2, 3])).toThrow(thrown);
      expect(thrown.cause).toBe(cause);
    }
  });

  it('is not said of what an observer throws', () => {
    const chain = chainWith(() => {});
    const set = new CandidateSet();
    set.load([1, 2]);
    const refusal = new InvalidValueError('CandidateSet', 'x', 'y', 1);
    const observer = () => {
      throw refusal;
    };
    const context = { history: new TokenHistory(), numerics: exactNumerics, uniform: () => 0 };
    expect(thrownBy(() => chain.process(set, context, observer))).toBe(refusal);
  });
});

describe('a penalty that leaves no id (S6)', () => {
  const NOTHING = 'small enough that an id is left above -Infinity';

  it.each([
    { logits: [-1e38, -Infinity], why: 'the only id' },
    { logits: [-Infinity, -1e300], why: 'the only id, by its float64 logit' },
  ])('repetition_penalty 1e308 on $why is refused in its own name', ({ logits }) => {
    const chain = new ProcessorChain([new RepetitionPenalty({ penalty: 1e308 })]);
    const sampler = createSampler({ seed: 1 }, { chain, prompt: [0, 1] });
    const error = thrownBy(() => sampler.sample(logits));
    expect(error).toBeInstanceOf(NothingLeftError);
    expect(error).toMatchObject({
      owner: 'RepetitionPenalty',
      message: `RepetitionPenalty (step 1 of 1): \`penalty\` must be ${NOTHING}, got 1e+308`,
    });
    const params = { seed: 1, repetition_penalty: 1e308 };
    expect(() => createSampler(params, { prompt: [0, 1] }).sample(logits)).toThrow(
      `RepetitionPenalty (step 1 of 6): \`penalty\` must be ${NOTHING}`,
    );
  });

  it('repetition_penalty 1e308 beside another id removes what overflows', () => {
    expect(createSampler({ seed: 1, repetition_penalty: 1e308 }, { prompt: [0] }).sample([-1e38, -5]).id).toBe(1);
  });

  it.each([
    [{ presence: 1e308, frequency: 0 }, 'presence', 1e308],
    [{ presence: 0, frequency: 1e308 }, 'frequency', 1e308],
    [{ presence: 1e308, frequency: 1 }, 'frequency', 1],
  ] as const)('presence and frequency %o likewise', (options, parameter, value) => {
    const chain = new ProcessorChain([new PresenceFrequency(options)]);
    const sampler = createSampler({ seed: 1 }, { chain, history: [0, 0] });
    const error = thrownBy(() => sampler.sample([-1e308]));
    expect(error).toBeInstanceOf(NothingLeftError);
    expect(error).toMatchObject({ owner: 'PresenceFrequency', parameter, value, domain: NOTHING });
  });
});
