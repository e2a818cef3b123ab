import { describe, expect, it } from 'vitest';
import { Mask } from '../../../processors/index.js';
import { createSampler, ProcessorChain, TopK } from '../../../src/index.js';
import { expectSameBits } from '../../support/bits.js';
import { agreesWithPlainArrays, expectUnchanged, logitsAfter, without } from './plain-masks.js';

const M = -Infinity;

describe('Mask', () => {
  it.each([
    { form: 'booleans', mask: [true, false, true] },
    { form: 'words', mask: new Int32Array([5]) },
    { form: 'unsigned words with noise beyond V', mask: new Uint32Array([0xfffffffd]) },
    { form: 'allowed ids', mask: { allow: [0, 2] } },
    { form: 'banned ids', mask: { ban: [1] } },
  ])('keeps what $form allow', ({ mask }) => {
    const step = new Mask();
    step.set(mask);
    expectSameBits(logitsAfter(step, [1, 2, 3]), [1, M, 3]);
  });

  agreesWithPlainArrays((random, V) => {
    const allowed = Array.from({ length: V }, () => random.below(3) > 0);
    const ids = (want: boolean) => [...allowed.keys()].filter((id) => allowed[id] === want);
    const step = new Mask();
    step.set([allowed, { allow: ids(true) }, { ban: ids(false) }][random.below(3)] as boolean[]);
    return { step, rule: (l) => without(l, ids(false)) };
  });

  it('has a name for chains and traces', () => {
    expect(new Mask().name).toBe('mask');
  });

  it('is refused where none was set', () => {
    expectUnchanged(new Mask(), [0, 0], 'Mask: `mask` must be set before the first token, got undefined');
  });

  it('holds until the next one', () => {
    const step = new Mask();
    const sampler = createSampler({ temperature: 0 }, { before: [step] });
    step.set({ allow: new Set([0]).values() });
    expect([sampler.sample([1, 2, 3]).id, sampler.sample([1, 2, 3]).id]).toEqual([0, 0]);
    step.set({ ban: new Set([2]).values() });
    expect([sampler.sample([1, 2, 3]).id, sampler.sample([1, 2, 3]).id]).toEqual([1, 1]);
  });

  it('reads its words when a token comes', () => {
    const step = new Mask();
    const words = new Int32Array([1]);
    step.set(words);
    expectSameBits(logitsAfter(step, [1, 2]), [1, M]);
    words[0] = 2;
    step.set(words);
    expectSameBits(logitsAfter(step, [1, 2]), [M, 2]);
  });

  it('refuses to leave nothing, also after a filter, and changes nothing', () => {
    const step = new Mask();
    const message =
      'Mask: `mask` must be one that allows at least one of the kept ids, got "one that allows nothing of them"';
    for (const mask of [[false, true, false], new Uint32Array([2]), { allow: [] }, { ban: [0, 1, 2] }]) {
      step.set(mask);
      expectUnchanged(step, [1, M, 0], message);
    }
    step.set({ allow: [1] });
    const chain = new ProcessorChain([new TopK({ k: 1 }), step]);
    expect(() => createSampler({}, { chain }).sample([5, 4])).toRefuse(message.replace(':', ' (step 2 of 2):'));
  });

  it('refuses a mask that does not fit V, and changes nothing', () => {
    const step = new Mask();
    step.set(new Int32Array(1));
    expectUnchanged(
      step,
      new Array(40).fill(0),
      'Mask: `mask.length` must be 2 (words of 32 ids each, for 40 ids), got 1',
    );
    step.set({ allow: [2] });
    expectUnchanged(step, [0, 0], 'Mask: `mask.allow[0]` must be an integer in [0, 2), got 2');
  });

  it('refuses what is no mask when it is set, and keeps the one before', () => {
    const step = new Mask();
    step.set({ allow: [0] });
    expect(() => step.set(undefined as never)).toThrow('Mask: `mask` must be an array of booleans, an Int32Array');
    expect(() => step.set({ allow: 3 } as never)).toRefuse('Mask: `mask.allow` must be ids to iterate over, got 3');
    expectSameBits(logitsAfter(step, [1, 2]), [1, M]);
  });
});
