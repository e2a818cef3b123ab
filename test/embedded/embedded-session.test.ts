import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EmbeddedModel } from '../../src/embedded/embedded-model.js';
import type { EmbeddedSession } from '../../src/embedded/embedded-session.js';
import { Safetensors } from '../../src/embedded/safetensors.js';
import { expectSameBits } from '../support/bits.js';
import { TINY, tinyModel } from '../support/tiny-model.js';
import { fixtureBytes, fixtureJson, torchCases } from './fixture-files.js';

const tiny = tinyModel();
const real = new EmbeddedModel(fixtureJson('config.json'), new Safetensors(fixtureBytes('weights.safetensors')));

const tinyId = fc.nat({ max: TINY.vocab_size - 1 });
const tinyIds = fc.array(tinyId, { minLength: 1, maxLength: TINY.n_ctx });

/** The logits after `ids`, appended to a new session one at a time. */
function oneByOne(model: EmbeddedModel, ids: readonly number[]): Float32Array {
  const session = model.open();
  let logits: Float32Array = new Float32Array();
  for (const id of ids) logits = session.append([id]);
  return logits;
}

/** Appends `ids`, cut before each of the places `cuts`. */
function inPieces(session: EmbeddedSession, ids: readonly number[], cuts: readonly number[]): Float32Array {
  let logits: Float32Array = new Float32Array();
  const inside = cuts.filter((cut) => cut > 0 && cut < ids.length);
  for (const end of [...new Set(inside), ids.length].sort((a, b) => a - b)) {
    logits = session.append(ids.slice(session.length, end));
  }
  return logits;
}

describe('EmbeddedSession', () => {
  it('gives the same bits however the ids are cut into calls', () => {
    fc.assert(
      fc.property(tinyIds, fc.array(fc.nat({ max: TINY.n_ctx })), (ids, cuts) => {
        expectSameBits(inPieces(tiny.open(), ids, cuts), oneByOne(tiny, ids));
      }),
    );
  });

  it.each(torchCases())('gives the same bits however the ids are cut, with the real weights: $name', ({ ids }) => {
    const expected = oneByOne(real, ids);
    for (const cuts of [[], [1], [7, 8, 9, 64], [ids.length - 1]]) {
      expectSameBits(inPieces(real.open(), ids, cuts), expected, `cut at ${cuts}`);
    }
  });

  it('goes on after truncation as a new session would', () => {
    fc.assert(
      fc.property(tinyIds, tinyIds, fc.nat({ max: TINY.n_ctx }), (before, after, length) => {
        const session = tiny.open();
        session.append(before);
        const kept = before.slice(0, length);
        session.truncate(kept.length);
        const ids = after.slice(0, TINY.n_ctx - kept.length);
        fc.pre(ids.length > 0);
        expectSameBits(session.append(ids), oneByOne(tiny, [...kept, ...ids]));
        expect(session.length).toBe(kept.length + ids.length);
      }),
    );
  });

  it('goes on after truncation as a new session would, with the real weights', () => {
    const [{ ids: text }, , { ids: noise }] = torchCases() as [{ ids: number[] }, unknown, { ids: number[] }];
    const session = real.open();
    session.append(text);
    session.truncate(37);
    session.truncate(30);
    expectSameBits(session.append(noise), oneByOne(real, [...text.slice(0, 30), ...noise]));
  });

  it('does not disturb another session of the same model', () => {
    const steps = fc.array(fc.tuple(fc.nat({ max: 2 }), fc.array(tinyId, { minLength: 1, maxLength: 4 })));
    fc.assert(
      fc.property(steps, (turns) => {
        const sessions = [tiny.open(), tiny.open(), tiny.open()];
        const ids: number[][] = [[], [], []];
        const last = new Map<number, Float32Array>();
        for (const [who, more] of turns) {
          const [session, mine] = [sessions[who] as EmbeddedSession, ids[who] as number[]];
          if (mine.length + more.length > TINY.n_ctx) continue;
          last.set(who, session.append(more));
          mine.push(...more);
        }
        for (const [who, logits] of last) expectSameBits(logits, oneByOne(tiny, ids[who] as number[]));
      }),
    );
  });

  it('reuses its logits, and they are its own', () => {
    const [a, b] = [tiny.open(), tiny.open()];
    const first = a.append([1]);
    expect(b.append([2])).not.toBe(first);
    expect(a.append([2])).toBe(first);
  });

  it('fills its context to the last position', () => {
    const session = tiny.open();
    expect(session.length).toBe(0);
    session.append(new Array(TINY.n_ctx).fill(2));
    expect(session.length).toBe(TINY.n_ctx);
    session.truncate(TINY.n_ctx);
    expect(session.length).toBe(TINY.n_ctx);
    session.truncate(0);
    expectSameBits(session.append([5]), oneByOne(tiny, [5]));
  });
});

/** D14: the caches of closed sessions are used again. */
describe('a session after others were closed', () => {
  it('gives the same bits as the first of its model, opened or copied', () => {
    const [used, fresh] = [tinyModel(), tinyModel()]; // nothing of `fresh` is ever closed
    fc.assert(
      fc.property(tinyIds, tinyIds, fc.nat({ max: TINY.n_ctx }), (before, after, cut) => {
        const session = used.open();
        session.append(before);
        const ids = after.slice(0, TINY.n_ctx - before.length);
        const copy = session.fork();
        if (ids.length > 0) expectSameBits(copy.append(ids), oneByOne(fresh, [...before, ...ids]));
        session.truncate(Math.min(cut, session.length));
        const shorter = session.fork();
        const rest = after.slice(0, TINY.n_ctx - shorter.length);
        if (rest.length > 0) {
          expectSameBits(shorter.append(rest), oneByOne(fresh, [...before.slice(0, session.length), ...rest]));
        }
        for (const each of [shorter, copy, session]) each.close();
        expectSameBits(used.open().append(after), oneByOne(fresh, after));
      }),
      { numRuns: 40 },
    );
  });

  it('allocates no cache for eight beams that go on, and no more than eight are kept', () => {
    const used = tinyModel();
    const allocated = countingFloat64(() => {
      for (let i = 0; i < 20; i++) {
        const sessions = Array.from({ length: 12 }, () => used.open());
        for (const session of sessions) session.close();
      }
    });
    const cache = 2 * 24 * 24; // keys and values: 21 positions in blocks of 8, 3 heads of 8
    expect(allocated).toBe((12 + 19 * 4) * TINY.num_hidden_layers * cache);
  });
});

/** How many numbers the Float64Arrays have that `work` makes. */
function countingFloat64(work: () => void): number {
  const real = globalThis.Float64Array;
  let count = 0;
  globalThis.Float64Array = class extends real {
    constructor(length: number) {
      super(length);
      count += length;
    }
  } as never;
  try {
    work();
  } finally {
    globalThis.Float64Array = real;
  }
  return count;
}

describe('EmbeddedSession, given what it refuses', () => {
  const three = () => {
    const session = tiny.open();
    session.append([1, 2, 3]);
    return session;
  };

  it.each<[string, (session: EmbeddedSession) => unknown, string]>([
    ['no ids', (s) => s.append([]), '`ids.length` must be at least 1, got 0'],
    [
      'more than the context',
      (s) => s.append(new Array(19).fill(1)),
      '`ids.length` must be at most 18, what is left of a context of 21, got 19',
    ],
    ['an id beyond the vocabulary', (s) => s.append([1, 40]), '`ids[1]` must be an integer in [0, 40), got 40'],
    ['a negative id', (s) => s.append([-1]), '`ids[0]` must be an integer in [0, 40), got -1'],
    ['half an id', (s) => s.append([0.5]), '`ids[0]` must be an integer in [0, 40), got 0.5'],
    ['a hole', (s) => s.append(new Array(2)), '`ids[0]` must be an integer in [0, 40), got undefined'],
    ['a truncation beyond', (s) => s.truncate(4), '`length` must be an integer in [0, 3], got 4'],
    ['a negative truncation', (s) => s.truncate(-1), '`length` must be an integer in [0, 3], got -1'],
    ['half a truncation', (s) => s.truncate(1.5), '`length` must be an integer in [0, 3], got 1.5'],
    ['a truncation to NaN', (s) => s.truncate(Number.NaN), '`length` must be an integer in [0, 3], got NaN'],
  ])('refuses %s and stays as it was', (_, call, message) => {
    const session = three();
    expect(() => call(session)).toRefuse(`EmbeddedSession: ${message}`);
    expect(session.length).toBe(3);
    expectSameBits(session.append([4]), oneByOne(tiny, [1, 2, 3, 4]));
  });

  it('refuses with the reason of an aborted signal and stays as it was', () => {
    const session = three();
    const reason = new Error('enough');
    expect(() => session.append([4], AbortSignal.abort(reason))).toThrow(reason);
    expect(session.length).toBe(3);
    expectSameBits(session.append([4], new AbortController().signal), oneByOne(tiny, [1, 2, 3, 4]));
  });

  it('refuses everything after it was closed', () => {
    const session = three();
    session.close();
    session.close();
    const message = 'EmbeddedSession: `session` must be open, got "closed"';
    expect(() => session.append([1])).toRefuse(message);
    expect(() => session.truncate(0)).toRefuse(message);
    expect(session.length).toBe(0);
  });
});
