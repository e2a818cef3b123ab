/** S2: what no draft can be is refused by name, and nothing is drawn for it. */
import { describe, expect, it } from 'vitest';
import { CandidateSet, inverseCdf } from '../../../src/core.js';
import { acceptRatio, type DraftToken, residual, verifyDraft } from '../../../src/decode/index.js';
import { generateSpeculative } from '../../../src/index.js';
import { PieceTokenizer, ScriptedModel } from '../../support/scripted-model.js';
import { ScriptedUniforms } from '../../support/scripted-uniforms.js';

const f64 = (...values: number[]) => Float64Array.from(values);
const P = f64(0.5, 0.5, 0);

const WRONG: readonly { draft: unknown; message: string; why: string }[] = [
  {
    draft: { id: 0, q: f64(1, 0, Number.NaN) },
    message: '`draft.q[2]` must be a probability, got NaN',
    why: 'an entry that is NaN',
  },
  {
    draft: { id: 0, q: f64(1.5, 0, -0.5) },
    message: '`draft.q[2]` must be a probability, got -0.5',
    why: 'a negative entry',
  },
  {
    draft: { id: 0, q: f64(Infinity, 0, 0) },
    message: '`draft.q[0]` must be a probability, got Infinity',
    why: 'an infinite entry',
  },
  {
    draft: { id: 0, q: f64(0.5, 0.5) },
    message: '`draft.q` must be a Float64Array of 3 probabilities, got Float64Array(2)',
    why: 'too short',
  },
  {
    draft: { id: 0, q: f64(0.25, 0.25, 0.25, 0.25) },
    message: '`draft.q` must be a Float64Array of 3 probabilities, got Float64Array(4)',
    why: 'too long',
  },
  {
    draft: { id: 0, q: [1, 0, 0] },
    message: '`draft.q` must be a Float64Array of 3 probabilities, got [1, 0, 0]',
    why: 'a list',
  },
  {
    draft: { id: 0, q: f64(0.01, 0.01, 0) },
    message: '`draft.q` must be of the sum 1, to within 0.0001, got 0.02',
    why: 'of a small sum',
  },
  {
    draft: { id: 0, q: f64(1, 1, 0) },
    message: '`draft.q` must be of the sum 1, to within 0.0001, got 2',
    why: 'of the sum 2',
  },
  {
    draft: { id: 0, q: f64(0.5, 0.5 + 2e-4, 0) },
    message: '`draft.q` must be of the sum 1, to within 0.0001, got 1.0002',
    why: 'of a sum beyond the bound',
  },
  {
    draft: { id: 2, q: f64(0.5, 0.5, 0) },
    message: '`draft.q[2]` must be above 0, as the id was drawn from it, got 0',
    why: 'without the id',
  },
  { draft: { id: 3 }, message: '`draft.id` must be an integer in [0, 3), got 3', why: 'an id beyond V' },
  { draft: { id: -1 }, message: '`draft.id` must be an integer in [0, 3), got -1', why: 'a negative id' },
  { draft: { id: 0.5 }, message: '`draft.id` must be an integer in [0, 3), got 0.5', why: 'half an id' },
  {
    draft: null,
    message: '`draft` must be an object with an `id`, and the `q` that it was drawn from, got null',
    why: 'no draft',
  },
];

describe('a draft that is none (S2)', () => {
  it.each(WRONG)(
    'is refused by verifyDraft, acceptRatio and residual, and nothing is drawn: $why',
    ({ draft, message }) => {
      const uniforms = new ScriptedUniforms([0.9, 0.1]);
      expect(() => verifyDraft(P, draft as DraftToken, uniforms)).toRefuse(`verifyDraft: ${message}`);
      expect(uniforms.taken).toBe(0);
      expect(() => acceptRatio(P, draft as DraftToken)).toRefuse(`acceptRatio: ${message}`);
      expect(() => residual(P, draft as DraftToken)).toRefuse(`residual: ${message}`);
    },
  );

  it.each(WRONG)('is refused to a drafter, named by its place: $why', async ({ draft, message }) => {
    const model = new ScriptedModel(3, 20, [], () => Float32Array.of(0, 0, 0));
    const drafter = {
      open: () => ({ propose: () => [{ id: 0 }, draft] as DraftToken[], accept: () => {} }),
    };
    const run = generateSpeculative(model, new PieceTokenizer(['a', 'b', 'c']), 'a', { seed: 1 }, { drafter });
    await expect(run).rejects.toThrow(`Drafter: ${message.replace('`draft', '`draft[1]')}`);
    expect(model.opened).toBe(model.closed);
  });

  it('within the bound is taken: a softmax in float32', () => {
    const q = f64(0.5, 0.5 - 9e-5, 0);
    expect(verifyDraft(P, { id: 0, q }, new ScriptedUniforms([0.9, 0.1])).isAccepted).toBe(true);
  });

  it.each([
    { p: f64(0.5, Number.NaN, 0.5), message: '`p[1]` must be a probability, got NaN' },
    { p: f64(1.5, -0.5), message: '`p[1]` must be a probability, got -0.5' },
    { p: f64(0.5, 0.25), message: '`p` must be of the sum 1, to within 0.0001, got 0.75' },
    { p: f64(), message: '`p` must be a Float64Array of at least one probability, got Float64Array(0)' },
    { p: [1], message: '`p` must be a Float64Array of at least one probability, got [1]' },
  ])('is not verified against a p that is none: $message', ({ p, message }) => {
    const uniforms = new ScriptedUniforms([0.9, 0.1]);
    expect(() => verifyDraft(p as Float64Array, { id: 0 }, uniforms)).toRefuse(`verifyDraft: ${message}`);
    expect(() => acceptRatio(p as Float64Array, { id: 0 })).toRefuse(`acceptRatio: ${message}`);
    expect(() => residual(p as Float64Array, { id: 0 })).toRefuse(`residual: ${message}`);
    expect(uniforms.taken).toBe(0);
  });

  it.each([-1, 1, Number.NaN, '0.5'])('is not verified with a uniform of %s', (u) => {
    for (const script of [
      [u, 0],
      [0, u],
    ] as number[][]) {
      expect(() => verifyDraft(P, { id: 0 }, new ScriptedUniforms(script))).toThrow(
        'verifyDraft: `uniform()` must be a source of numbers in [0, 1)',
      );
    }
  });
});

describe('residual', () => {
  it('keeps a surplus below 1e-9 (planted: dropped)', () => {
    const q = f64(0.5 - 1e-12, 0.5 + 1e-12, 0);
    expect(residual(P, { id: 1, q })).toEqual(f64(1, 0, 0));
    const tiny = f64(0.5 - 2 ** -53, 0.5, 2 ** -53);
    expect(residual(tiny, { id: 1, q: f64(0.5, 0.5, 0) })).toEqual(f64(0, 0, 1));
  });
});

describe('inverseCdf', () => {
  it.each([-1, 1, 1.5, Number.NaN, '0.5', undefined])('refuses u = %s (S2)', (u) => {
    const set = new CandidateSet();
    set.load([0, 0]);
    expect(() => inverseCdf(set, u as number)).toThrow('inverseCdf: `u` must be a number in [0, 1), got ');
  });
});

describe('a session of a drafter (S2)', () => {
  it.each([null, {}, { propose: () => [] }, { accept: () => {} }])('that is none is refused: %o', async (session) => {
    const model = new ScriptedModel(3, 20, [], () => Float32Array.of(0, 0, 0));
    const drafter = { open: () => session as never };
    const run = generateSpeculative(model, new PieceTokenizer(['a', 'b', 'c']), 'a', { seed: 1 }, { drafter });
    await expect(run).rejects.toThrow('Drafter: `open()` must be a session with `propose` and `accept`, got ');
    expect([model.opened, model.closed]).toEqual([1, 1]);
  });
});
