import { describe, expect, it } from 'vitest';
import { createSampler, InvalidValueError, Pcg32, TokenHistory } from '../../../src/index.js';

describe('TokenHistory.truncate', () => {
  it('leaves what a history of the first ids is', () => {
    const rng = new Pcg32(9);
    for (let n = 0; n < 200; n++) {
      const prompt = Array.from({ length: rng.below(4) }, () => rng.below(6));
      const output = Array.from({ length: rng.below(9) }, () => rng.below(8));
      const length = rng.below(output.length + 1);
      const history = new TokenHistory(prompt, output);
      history.truncate(length);
      const more = [rng.below(8), rng.below(8)];
      for (const id of more) history.accept(id);
      expectEqual(history, new TokenHistory(prompt, [...output.slice(0, length), ...more]));
    }
  });

  it('forgets the largest id', () => {
    const history = new TokenHistory([2], [7, 3]);
    history.truncate(0);
    expect(() => history.checkWithin(3, 'test')).not.toThrow();
    expect(() => history.checkWithin(2, 'test')).toThrow('prompt[0]');
  });

  it('refuses a length that is none', () => {
    for (const length of [-1, 3, 0.5, Number.NaN]) {
      expect(() => new TokenHistory([1], [2, 3]).truncate(length)).toThrow(InvalidValueError);
    }
  });
});

function expectEqual(history: TokenHistory, right: TokenHistory): void {
  const { prompt, output, seen, generated } = history;
  expect({ prompt, output, seen, generated }).toEqual({
    prompt: right.prompt,
    output: right.output,
    seen: right.seen,
    generated: right.generated,
  });
  for (let id = 0; id < 8; id++) expect(history.outputCount(id)).toBe(right.outputCount(id));
}

describe('Sampler', () => {
  const logits = Float32Array.from([1, 2, 3]);

  it('gives the distribution also after a token that was drawn and after a uniform', () => {
    const sampler = createSampler({ seed: 1, temperature: 0.7 });
    const before = sampler.distribution(logits);
    sampler.sample(logits);
    expect(sampler.distribution(logits)).toEqual(before);
    sampler.uniform();
    expect(sampler.distribution(logits)).toEqual(before);
    expect(sampler.draws).toBe(2);
  });

  it('tells an id that was decided on from one that alone could be drawn', () => {
    const greedy = createSampler({ temperature: 0 });
    const single = createSampler({ top_k: 1 });
    expect([...greedy.distribution(logits)]).toEqual([0, 0, 1]);
    expect([...single.distribution(logits)]).toEqual([0, 0, 1]);
    expect(greedy.settled).toBe(2);
    expect(single.settled).toBeUndefined();
    expect(() => createSampler().settled).toThrow(InvalidValueError);
  });
});
