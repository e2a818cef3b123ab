/**
 * S5: what gives uniforms is looked at wherever one is drawn.
 */
import { describe, expect, it } from 'vitest';
import { drawWith } from '../../src/decode/beams/draw-continuations.js';
import { Hypothesis } from '../../src/decode/beams/hypothesis.js';
import { verifyDraft } from '../../src/decode/speculation/verify.js';
import { exactNumerics } from '../../src/numerics/index.js';
import { NormalSource } from '../../src/random/index.js';
import { drawUniform, isUniform } from '../../src/random/uniform.js';

const BAD: readonly unknown[] = [1, 2, -1, -5e-324, Number.NaN, Infinity, '0.5', null, undefined, 0n, true, {}];
const source = (...values: unknown[]) => ({ uniform: () => values.shift() as number });

describe('a uniform', () => {
  it.each([0, -0, 5e-324, 0.5, 1 - 2 ** -53])('may be %s', (u) => {
    expect([isUniform(u), drawUniform(source(u), 'Test')]).toEqual([true, u]);
  });

  it.each(BAD)('is refused where it is %s, in the name of who draws it', (bad) => {
    const message = '`uniform()` must be a source of numbers in [0, 1), got ';
    expect(isUniform(bad)).toBe(false);
    expect(() => drawUniform(source(bad), 'Test')).toThrow(`Test: ${message}`);
    expect(() => new NormalSource(source(0.5, bad)).normal()).toThrow(`NormalSource: ${message}`);
    const row = { beam: Hypothesis.empty(), logprobs: Float64Array.of(-1, -2) };
    expect(() => drawWith(source(bad), exactNumerics)([row], 1)).toThrow(`beamSearch: ${message}`);
    for (const uniforms of [source(bad, 0.5), source(0.5, bad)]) {
      expect(() => verifyDraft(Float64Array.of(0.5, 0.5), { id: 0 }, uniforms)).toThrow(`verifyDraft: ${message}`);
    }
  });
});
