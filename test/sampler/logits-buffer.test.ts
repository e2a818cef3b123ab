/**
 * Logits that are written where the sampler reads them: the same tokens as from an array of one's own, and an array that is not
 * for this token is refused by name.
 */
import { describe, expect, it } from 'vitest';
import { createContainer } from '../../src/container/index.js';
import { createSampler, InvalidValueError, logitsBuffer } from '../../src/index.js';
import { exactNumerics } from '../../src/numerics/index.js';
import { Pcg32 } from '../../src/random/index.js';
import { roughNormal } from '../support/requests.js';
import { withNumerics } from './counting-numerics.js';

const V = 700;
const PARAMS = { seed: 7, temperature: 0.8, top_p: 0.9, repetition_penalty: 1.2 };

function row(n: number, length = V): Float32Array {
  const random = new Pcg32(99, n);
  return Float32Array.from({ length }, () => 3 * roughNormal(random));
}

/** The buffer of this token, written in full. */
function written(n: number, length = V): Float32Array {
  const buffer = logitsBuffer(length);
  buffer.set(row(n, length));
  return buffer;
}

/** What a sampler says of each token of `logitsOf`. */
function tokens(sampler: ReturnType<typeof createSampler>, logitsOf: (n: number) => Float32Array, release = false) {
  return Array.from({ length: 12 }, (_, n) => {
    const token = sampler.sample(logitsOf(n));
    const said = { ...token, entropy: sampler.entropy(), best: sampler.topLogprobs(3), other: sampler.logprob(5) };
    if (release) sampler.release();
    return said;
  });
}

const plain = () => createSampler(PARAMS, { container: createContainer(withNumerics(exactNumerics)) });

describe('logitsBuffer', () => {
  it.each([
    ['a sampler that keeps its arrays', () => createSampler(PARAMS), false],
    ['a sampler that gives them back', () => createSampler(PARAMS), true],
    ['a sampler with numerics of its own', plain, false],
  ])('gives the same tokens as an array of one`s own, in %s', (_, make, release) => {
    expect(tokens(make(), (n) => written(n), release)).toEqual(tokens(createSampler(PARAMS), row));
  });

  it('lends an array where nothing is copied: the answers about the last token stay while the next one is written', () => {
    const sampler = createSampler(PARAMS);
    sampler.sample(written(0));
    const before = [sampler.logprob(3), sampler.entropy(), sampler.topLogprobs(2)];
    written(1).fill(-1);
    expect([sampler.logprob(3), sampler.entropy(), sampler.topLogprobs(2)]).toEqual(before);
  });

  it('serves two requests in turn, and one that samples from arrays of its own', () => {
    const [a, b, c] = [createSampler(PARAMS), createSampler({ ...PARAMS, seed: 8 }), createSampler(PARAMS)];
    for (let n = 0; n < 6; n++) {
      const expected = c.sample(row(n));
      expect(a.sample(written(n))).toEqual(expected);
      expect(b.sample(written(n)).id).toBeLessThan(V);
    }
  });

  const stale = /Sampler: `logits` must be the array that `logitsBuffer` lent for this token/;

  it('is refused after its token', () => {
    const sampler = createSampler(PARAMS);
    const buffer = written(0);
    sampler.sample(buffer);
    expect(() => sampler.sample(buffer)).toThrow(stale);
    expect(() => createSampler(PARAMS).sampleId(buffer)).toThrow(InvalidValueError);
    expect(sampler.draws).toBe(1);
  });

  it('is refused after another one was lent, and after other logits took its place', () => {
    const sampler = createSampler(PARAMS);
    sampler.sample(row(0));
    const first = written(1);
    const second = written(1);
    expect(() => sampler.sample(first)).toThrow(stale);
    sampler.sample(row(1));
    expect(() => sampler.sample(second)).toThrow(stale);
  });

  it('may be mended and given again where its logits were refused', () => {
    const [sampler, other] = [createSampler(PARAMS), createSampler(PARAMS)];
    const buffer = written(0);
    buffer[17] = Number.NaN;
    expect(() => sampler.sample(buffer)).toThrow(/logits\[17\]/);
    buffer[17] = row(0)[17] as number;
    expect(sampler.sample(buffer)).toEqual(other.sample(row(0)));
  });

  it.each([1, 63, 64, 65, 1000])('is as long as the vocabulary, V = %i', (length) => {
    expect(logitsBuffer(length).length).toBe(length);
    expect(createSampler({ seed: 1 }).sample(written(3, length))).toEqual(
      createSampler({ seed: 1 }).sample(row(3, length)),
    );
  });

  it.each([0, -1, 1.5, Number.NaN, '5', undefined, 2 ** 24 + 1])('refuses %s ids', (size) => {
    expect(() => logitsBuffer(size as number)).toThrow(
      /logitsBuffer: `vocabSize` must be an integer in \[1, 16777216\]/,
    );
  });
});
