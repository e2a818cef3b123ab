import { describe, expect, it } from 'vitest';
import { type Candidates, Mirostat, MirostatV2 } from '../../../processors/index.js';
import { createSampler, ProcessorChain, Temperature } from '../../../src/index.js';
import { Pcg32 } from '../../../src/random/index.js';
import { agreesWithPlainArrays, without } from '../masks/plain-masks.js';
import { apply, kept } from '../step.js';
import { type Keep, keepV1, keepV2 } from './plain-rules.js';

const M = -Infinity;
/** q = 1/2, 1/4, 1/8, 1/8: the surprises are exactly 1, 2, 3 and 3 bits. */
const DYADIC = [2, 1, 0, 0].map((power) => power * Math.LN2);

function at<T extends Mirostat | MirostatV2>(step: T, mu: number): T {
  step.restore(mu);
  return step;
}

/** `count` logits of which q falls as rank^-s. */
const zipf = (count: number, s: number) => Array.from({ length: count }, (_, i) => -s * Math.log(i + 1));

describe('MirostatV2', () => {
  it.each([
    { mu: 0.5, ids: [0], why: 'the best stays, whatever its surprise' },
    { mu: -3, ids: [0], why: 'also below 0' },
    { mu: 1, ids: [0], why: 'exactly on mu, and alone there' },
    { mu: 1.999, ids: [0], why: 'just below the second' },
    { mu: 2, ids: [0, 1], why: 'exactly on mu stays' },
    { mu: 2.999, ids: [0, 1], why: 'just below the others' },
    { mu: 3, ids: [0, 1, 2, 3], why: 'ties stay together' },
    { mu: 99, ids: [0, 1, 2, 3], why: 'all' },
  ])('with mu = $mu keeps $ids: $why', ({ mu, ids }) => {
    expect(kept(apply(at(new MirostatV2({}), mu), DYADIC))).toEqual(ids);
  });

  it('never keeps an id that is masked, nor one whose q rounds to 0', () => {
    expect(kept(apply(at(new MirostatV2({}), 1074), [0, M, -800, -1]))).toEqual([0, 3]);
  });
});

describe('Mirostat', () => {
  it.each([
    { count: 64, s: 1.5, mu: 6 },
    { count: 64, s: 1, mu: 5 },
    { count: 200, s: 0.7, mu: 4 },
    { count: 200, s: 2, mu: 10 },
  ])('finds the exponent $s of $count ids that follow Zipf, and keeps k of them for mu = $mu', ({ count, s, mu }) => {
    const e = s - 1;
    const k = e === 0 ? 2 ** mu / Math.log(count) : ((e * 2 ** mu) / (1 - count ** -e)) ** (1 / s);
    const { size } = apply(at(new Mirostat({}), mu), zipf(count, s));
    expect(Math.abs(size - Math.min(k, count))).toBeLessThan(1.001);
  });

  it.each([
    { logits: [3], mu: 0, ids: [0], why: 'one id' },
    { logits: [0, -800, -900], mu: 0, ids: [0, 1, 2], why: 'one q above 0: there is nothing to estimate from' },
    { logits: [0, 0, 0, 0], mu: 1.5, ids: [0], why: 'all alike, and 2^mu below V - 1: the power is 0' },
    { logits: [0, 0, 0, 0], mu: 2, ids: [0, 1, 2, 3], why: 'all alike, and 2^mu above V - 1: the power is infinite' },
    { logits: [0, 0, 0, M], mu: -1000, ids: [0], why: 'the best stays, of ties the lowest id' },
    { logits: [1, 2, 2, 0], mu: 1000, ids: [0, 1, 2, 3], why: 'all' },
  ])('with mu = $mu of $logits keeps $ids: $why', ({ logits, mu, ids }) => {
    expect(kept(apply(at(new Mirostat({}), mu), logits))).toEqual(ids);
  });
});

const BOTH = [
  ['Mirostat', Mirostat, keepV1],
  ['MirostatV2', MirostatV2, keepV2],
] as const;

describe.each(BOTH)('%s', (name, target, keep: Keep) => {
  const step = (options = {}) => new target(options);

  agreesWithPlainArrays((random: Pcg32) => {
    const mu = 12 * random.uniform() - 2;
    return {
      step: at(step(), mu),
      rule: (l) => {
        const stay = keep(l, mu);
        return without(
          l,
          [...l.keys()].filter((id) => !stay.includes(id)),
        );
      },
    };
  });

  it.each([
    [{ tau: -1 }, `${name}: \`tau\` must be a number in [0, 1024], got -1`],
    [{ tau: 1025 }, `${name}: \`tau\` must be a number in [0, 1024], got 1025`],
    [{ tau: Number.NaN }, `${name}: \`tau\` must be a number in [0, 1024], got NaN`],
    [{ eta: 1.5 }, `${name}: \`eta\` must be a number in [0, 1], got 1.5`],
    [{ eta: '0.1' }, `${name}: \`eta\` must be a number in [0, 1], got "0.1"`],
    [{ mu: 3 }, `${name}: \`mu\` must be absent (the parameters are: tau, eta), got 3`],
  ])('refuses the options %j', (options, message) => {
    expect(() => new target(options as never)).toRefuse(message);
  });

  it.each([null, '7', Number.NaN, Number.POSITIVE_INFINITY, [7]])(
    'refuses the state %j and stays as it was',
    (state) => {
      const own = at(step(), 4);
      expect(() => own.restore(state as never)).toThrow(
        `${name}: \`state\` must be a finite number, as \`save\` gave it, got `,
      );
      expect(own.save()).toBe(4);
    },
  );

  it.each([
    [0.5, {}, `${name}: \`id\` must be an integer >= 0, got 0.5`],
    [0, 7, `${name}: \`info\` must be an object with \`probability\`, or undefined, got 7`],
    [0, { probability: 2 }, `${name}: \`info.probability\` must be a number in [0, 1], or undefined, got 2`],
  ])('refuses to be told of %j with %j, and stays as it was', (id, info, message) => {
    const own = step();
    expect(() => own.accept(id, info as never)).toRefuse(message);
    expect(own.save()).toBe(10);
  });

  it('begins at twice tau, which is 5 bits where nothing is said, with a rate of 0.1', () => {
    expect(step().options).toEqual({ tau: 5, eta: 0.1 });
    expect([step().save(), step({ tau: 3 }).save()]).toEqual([10, 6]);
  });

  it('learns by the surprise of what was drawn, behind the whole chain', () => {
    const own = step({ tau: 3, eta: 0.5 });
    const least = { name: 'least', process: (c: Candidates) => c.keepIds((id) => id >= 2) };
    const sampler = createSampler({ seed: 1 }, { chain: new ProcessorChain([own, least]) });
    sampler.sample([0, 0, 0, 0, M]); // q = 1/2 behind the chain: one bit
    expect(own.save()).toBe(6 - 0.5 * (1 - 3));
  });

  it('rises by eta tau where the token was settled, and stays where it was forced', () => {
    const own = step({ tau: 4, eta: 0.25 });
    const chain = new ProcessorChain([own, new Temperature({ temperature: 0 })]);
    const sampler = createSampler({ seed: 1 }, { chain });
    sampler.sample([0, 1, 2]);
    expect(own.save()).toBe(9);
    sampler.accept(0);
    expect(own.save()).toBe(9);
  });

  it('learns nothing of an id without probability that was forced', () => {
    const own = at(step({ tau: 4 }), 0);
    const sampler = createSampler({ seed: 1 }, { chain: new ProcessorChain([own]) });
    sampler.distribution([9, 0, M]);
    sampler.accept(2);
    expect(own.save()).toBe(0);
  });

  it('comes to tau bits on average', () => {
    const random = new Pcg32(3);
    const sampler = createSampler({ seed: 5 }, { chain: new ProcessorChain([step({ tau: 2, eta: 0.1 })]) });
    let bits = 0;
    for (let n = 0; n < 1000; n++) {
      const logits = Float64Array.from({ length: 100 }, () => 6 * random.uniform());
      const q = sampler.distribution(logits);
      bits -= Math.log2(q[sampler.sample(logits).id] as number);
    }
    expect(Math.abs(bits / 1000 - 2)).toBeLessThan(0.1);
  });

  it('is part of chains as data', () => {
    const chain = new ProcessorChain([step({ tau: 3 })]);
    expect(chain.toData()).toEqual([{ use: 'logprobs' }, { use: step().name, tau: 3, eta: 0.1 }]);
  });
});
