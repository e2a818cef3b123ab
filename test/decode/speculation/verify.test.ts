import { describe, expect, it } from 'vitest';
import type { DraftToken } from '../../../src/decode/speculation/draft.js';
import { acceptRatio, drawFrom, residual, verifyDraft, verifySettled } from '../../../src/decode/speculation/verify.js';
import { Pcg32 } from '../../../src/random/index.js';
import { ScriptedUniforms } from '../../support/scripted-uniforms.js';

const f64 = (...values: number[]) => Float64Array.from(values);
const BELOW_ONE = 1 - 2 ** -53;

/** A random distribution, some of it zero. */
function randomDistribution(rng: Pcg32, size: number): Float64Array {
  const weights = Float64Array.from({ length: size }, () => (rng.below(3) === 0 ? 0 : rng.uniform()));
  weights[rng.below(size)] = 0.5;
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((w) => w / sum);
}

describe('verifyDraft', () => {
  it('accepts where u is below p(x) / q(x), and not on it', () => {
    const p = f64(0.25, 0.75);
    const draft = { id: 0, q: f64(0.5, 0.5) };
    expect(verifyDraft(p, draft, new ScriptedUniforms([0.5 - 2 ** -54, 0]))).toEqual({ id: 0, isAccepted: true });
    expect(verifyDraft(p, draft, new ScriptedUniforms([0.5, 0]))).toEqual({ id: 1, isAccepted: false });
  });

  it('always accepts where the target thinks at least as much of the draft', () => {
    const draft = { id: 1, q: f64(0.5, 0.5) };
    expect(verifyDraft(f64(0.25, 0.75), draft, new ScriptedUniforms([BELOW_ONE, 0])).isAccepted).toBe(true);
    expect(verifyDraft(f64(0.5, 0.5), draft, new ScriptedUniforms([BELOW_ONE, 0])).isAccepted).toBe(true);
  });

  it('takes two uniforms whatever the outcome, the first to accept by and the second to draw by', () => {
    const p = f64(0, 0.5, 0.5);
    for (const [script, id] of [
      [[0, 0.9], 1],
      [[0.5, 0.9], 2],
      [[0.999, 0], 2],
    ] as const) {
      const uniforms = new ScriptedUniforms(script);
      expect(verifyDraft(p, { id: 1 }, uniforms).id).toBe(id);
      expect(uniforms.taken).toBe(2);
    }
  });

  it('never accepts an id that the target bans, and never draws one', () => {
    const p = f64(0, 0.5, 0, 0.5);
    for (let step = 0; step < 50; step++) {
      const uniforms = new ScriptedUniforms([step === 0 ? 0 : step / 50, step / 50]);
      const verdict = verifyDraft(p, { id: 2, q: f64(0.25, 0.25, 0.25, 0.25) }, uniforms);
      expect(verdict.isAccepted).toBe(false);
      expect([1, 3]).toContain(verdict.id);
    }
  });

  it('gives exactly the distribution of the target, integrated over both uniforms', () => {
    const rng = new Pcg32(3);
    for (let n = 0; n < 500; n++) {
      const size = 1 + rng.below(6);
      const p = randomDistribution(rng, size);
      const q = n % 5 === 0 ? undefined : randomDistribution(rng, size);
      const outcome = integrate(p, q, rng.below(size));
      for (let id = 0; id < size; id++)
        expect(Math.abs((outcome[id] as number) - (p[id] as number))).toBeLessThan(1e-14);
    }
  });
});

/** The distribution of the step's outcome, x drawn from q (`fixed` where it is one-hot); every interval is tried at both ends. */
function integrate(p: Float64Array, q: Float64Array | undefined, fixed: number): Float64Array {
  const total = new Float64Array(p.length);
  for (let id = 0; id < p.length; id++) {
    const draft: DraftToken = q === undefined ? { id } : { id, q };
    const chance = q === undefined ? Number(id === fixed) : (q[id] as number);
    if (chance === 0) continue;
    const accept = Math.min(1, acceptRatio(p, draft));
    if (accept > 0) expectOutcome(p, draft, 0, BELOW_ONE, { id, isAccepted: true });
    if (accept > 0) expectOutcome(p, draft, below(accept), 0, { id, isAccepted: true });
    total[id] = (total[id] as number) + chance * accept;
    if (accept === 1) continue;
    let c = 0;
    for (const [y, r] of residual(p, draft).entries()) {
      if (r === 0) continue;
      expectOutcome(p, draft, accept, c, { id: y, isAccepted: false });
      c += r;
      if (c <= 1) expectOutcome(p, draft, BELOW_ONE, below(c), { id: y, isAccepted: false });
      total[y] = (total[y] as number) + chance * (1 - accept) * r;
    }
  }
  return total;
}

function expectOutcome(p: Float64Array, draft: DraftToken, toAccept: number, toDraw: number, outcome: object): void {
  if (toDraw >= 1) return; // an interval that rounding leaves empty
  expect(verifyDraft(p, draft, new ScriptedUniforms([toAccept, toDraw]))).toEqual(outcome);
}

/** The largest double below x, 0 < x <= 1. */
function below(x: number): number {
  const bits = new BigInt64Array(Float64Array.of(x).buffer);
  bits[0] = (bits[0] as bigint) - 1n;
  return new Float64Array(bits.buffer)[0] as number;
}

describe('residual', () => {
  it('is what p has above q, over its sum in ascending id order', () => {
    expect(residual(f64(0.5, 0.25, 0.25), { id: 1, q: f64(0.25, 0.75, 0) })).toEqual(f64(0.5, 0, 0.5));
    const p = f64(0.1, 0.2, 0.3, 0.4);
    const q = f64(0.01, 0.02, 0.03, 0.94);
    const [a, b, c] = [0.1 - 0.01, 0.2 - 0.02, 0.3 - 0.03] as const;
    const z = a + b + c;
    expect(residual(p, { id: 3, q })).toEqual(f64(a / z, b / z, c / z, 0));
  });

  it('of a deterministic draft is p without it', () => {
    expect(residual(f64(0.5, 0.25, 0.25), { id: 0 })).toEqual(f64(0, 0.5, 0.5));
  });

  it('is a copy of p where nothing of p is above q', () => {
    const p = f64(0.25, 0.75);
    const r = residual(p, { id: 0, q: f64(0.25, 0.75) });
    expect(r).toEqual(p);
    r[0] = 1;
    expect(p[0]).toBe(0.25);
    expect(residual(f64(0, 1), { id: 1 })).toEqual(f64(0, 1));
  });
});

describe('drawFrom', () => {
  it.each([
    { u: 0, id: 1, why: 'an id without probability is never drawn' },
    { u: 0.25 - 2 ** -55, id: 1, why: 'just below the boundary' },
    { u: 0.25, id: 3, why: 'on it' },
    { u: BELOW_ONE, id: 3, why: 'at the end' },
  ])('gives id $id for u = $u: $why', ({ u, id }) => {
    expect(drawFrom(f64(0, 0.25, 0, 0.75, 0), u)).toBe(id);
  });

  it('gives the largest id with a probability where rounding ends the sum at or below u', () => {
    expect(drawFrom(f64(0.5, 0.25, 0), 0.75)).toBe(1);
  });
});

describe('verifySettled', () => {
  it('accepts the draft that the target decided on, and gives that in the place of another', () => {
    expect(verifySettled(2, { id: 2 })).toEqual({ id: 2, isAccepted: true });
    expect(verifySettled(2, { id: 1 })).toEqual({ id: 2, isAccepted: false });
  });
});
