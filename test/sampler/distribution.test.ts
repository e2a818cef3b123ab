import { describe, expect, it } from 'vitest';
import type { LogitsProcessor } from '../../processors/index.js';
import { createSampler, ProcessorChain } from '../../src/index.js';
import { drawer } from '../support/steps.js';

describe('the distribution of the next token', () => {
  const logits = Float32Array.from([1, 2, 3]);

  it('is the same after a token that was drawn and after a uniform', () => {
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
  });

  it('is not there before the first token', () => {
    expect(() => createSampler().settled).toRefuse(
      'Sampler: `settled` must be asked for after a token was sampled, got "no token"',
    );
  });

  it('is refused where a step draws, and nothing is drawn', () => {
    const sampler = createSampler({ seed: 1 }, { chain: new ProcessorChain([drawer([])]) });
    expect(() => sampler.distribution(logits)).toRefuse(
      'Sampler: `chain.draws` must be 0 where only the distribution is asked for, got 2',
    );
    expect(sampler.draws).toBe(0);
  });

  it('S3: returns what a step drew that had declared nothing, so that the next token is the same', () => {
    let isDrawing = true;
    const switched: LogitsProcessor = {
      name: 'drawing',
      process: (_, { uniform }) => {
        if (isDrawing) uniform();
      },
    };
    const sampler = createSampler({ seed: 1 }, { chain: new ProcessorChain([switched]) });
    expect(() => sampler.distribution(logits)).toRefuse('Sampler: `drawing.draws` must be the 0 declared, got 1');
    expect([sampler.draws, sampler.history.output]).toEqual([0, []]);
    isDrawing = false;
    expect(sampler.sample(logits)).toEqual(createSampler({ seed: 1 }, { chain: [] }).sample(logits));
  });
});
