import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Dry, type Tokenizer } from '../../../processors/index.js';
import { createChain, createSampler } from '../../../src/index.js';
import { expectSameBits } from '../../support/bits.js';
import { agreesWithPlainArrays, expectUnchanged, logitsAfter, randomIds } from '../masks/plain-masks.js';
import { plainDry } from './plain-dry.js';

const ZEROS = [0, 0, 0, 0];

/** A letter is an id, a is 0; the letter z and the one behind it are the id of the latter. */
const tokenizer: Tokenizer = {
  id: 'letters',
  vocabSize: 4,
  encode: (text) => Array.from(text.replace(/z/g, ''), (letter) => letter.charCodeAt(0) - 97),
  tokenBytes: (id) => Uint8Array.of(97 + id),
};

/** What DRY takes off each of four ids. */
function taken(options: object, output: readonly number[], prompt: readonly number[] = []): number[] {
  const step = new Dry({ multiplier: 1, base: 2, breakers: [], ...options });
  return Array.from(logitsAfter(step, ZEROS, { prompt, output }), (l) => 0 - l);
}

describe('Dry', () => {
  it.each([
    { options: {}, output: [0, 1, 2, 0, 1], after: [0, 0, 1, 0], why: 'a repeat of the allowed length' },
    { options: {}, output: [0, 1, 0], after: [0, 0, 0, 0], why: 'a shorter one' },
    { options: { allowed_length: 1 }, output: [0, 1, 0], after: [0, 1, 0, 0], why: 'one that is allowed to be short' },
    { options: { allowed_length: 0 }, output: [0, 1, 0], after: [0, 2, 0, 0], why: 'or not at all' },
    { options: {}, output: [3, 0, 1, 2, 3, 0, 1], after: [0, 0, 2, 0], why: 'one longer, twice as much' },
    { options: {}, output: [1, 1, 1, 1], after: [0, 2, 0, 0], why: 'repeats may overlap the end' },
    { options: {}, output: [0, 1, 2, 3, 0, 1, 3, 3, 0, 1], after: [0, 0, 1, 2], why: 'each id by its own' },
    { options: {}, output: [0, 1, 2, 3, 0, 1, 2, 3, 0, 1], after: [0, 0, 16, 0], why: 'the longest for one id' },
    { options: { breakers: [1] }, output: [0, 1, 2, 0, 1], after: [0, 0, 0, 0], why: 'a breaker at the end' },
    { options: { breakers: [2] }, output: [0, 1, 2, 0, 1], after: [0, 0, 0, 0], why: 'a breaker is not penalized' },
    { options: { breakers: [3] }, output: [3, 0, 1, 2, 3, 0, 1], after: [0, 0, 1, 0], why: 'not back over a breaker' },
    { options: { window: 5 }, output: [3, 0, 1, 2, 3, 0, 1], after: [0, 0, 0, 0], why: 'out of the window by one' },
    { options: { window: 6 }, output: [3, 0, 1, 2, 3, 0, 1], after: [0, 0, 1, 0], why: 'just within the window' },
    { options: {}, output: [], after: [0, 0, 0, 0], why: 'an empty text' },
    { options: { multiplier: 0 }, output: [1, 1, 1, 1], after: [0, 0, 0, 0], why: 'off' },
  ])('$options after $output takes $after: $why', ({ options, output, after }) => {
    expect(taken(options, output)).toEqual(after);
    expect(taken(options, output.slice(2), output.slice(0, 2))).toEqual(after);
  });

  it.each([
    [49, 2 ** 46],
    [51, 2 ** 48],
    [52, 2 ** 48],
    [300, 2 ** 48],
  ])('tells repeats apart up to 50 ids: %d times one id', (times, after) => {
    expect(taken({}, new Array<number>(times).fill(1))).toEqual([0, after, 0, 0]);
  });

  it('is a square transcription, on any text', () => {
    const id = fc.integer({ min: 0, max: 3 });
    const text = fc.oneof(
      fc.array(id, { maxLength: 160 }),
      fc.tuple(fc.array(id, { maxLength: 70 }), fc.array(id, { maxLength: 9 })).map(([a, b]) => [...a, ...b, ...a]),
    );
    const options = fc.record({
      multiplier: fc.constantFrom(0.8, 1 / 3),
      base: fc.constantFrom(1, 1.75, 1.01),
      allowed: fc.integer({ min: 0, max: 4 }),
      breakers: fc.uniqueArray(id, { maxLength: 2 }),
      window: fc.integer({ min: 1, max: 200 }),
    });
    fc.assert(
      fc.property(text, options, (ids, o) => {
        const { allowed: allowed_length, ...rest } = o;
        const logits = [1.5, -0.25, 1.5, 0];
        const after = logitsAfter(new Dry({ ...rest, allowed_length }), logits, { output: ids });
        expectSameBits(after, plainDry(logits, ids, o));
      }),
    );
  });

  agreesWithPlainArrays((random, V) => {
    const narrow = Math.min(V, 5);
    const breakers = randomIds(random, narrow, 1);
    const window = 1 + random.below(14);
    const allowed = random.below(3);
    const multiplier = [0.8, 0, 1e308][random.below(3)] as number;
    const base = [1.75, 1, 1e200][random.below(3)] as number;
    return {
      step: new Dry({ multiplier, base, allowed_length: allowed, breakers, window }),
      rule: (l, { prompt, output }) => {
        if (multiplier === 0) return [...l];
        if (breakers.some((id) => id >= V)) return undefined;
        return plainDry(l, [...prompt, ...output], { multiplier, base, allowed, breakers, window });
      },
    };
  });

  it('takes time that grows as the text, where the whole text is one repeat', () => {
    let reads = 0;
    const text = new Proxy(new Array<number>(4000).fill(1), {
      get(target, key) {
        if (typeof key === 'string' && key !== 'length') reads++;
        return Reflect.get(target, key);
      },
    });
    const step = new Dry({ multiplier: 1, breakers: [] });
    const history = { prompt: [], output: text, sequence: text, seen: [1], generated: [1], outputCount: () => 4000 };
    const numerics = { pow: () => 1 };
    step.process(
      { vocabSize: 2, size: 2, has: () => true, logit: () => 0, adjustLogits: () => {} } as never,
      { history, numerics } as never,
    );
    expect(reads).toBeGreaterThan(4000);
    expect(reads).toBeLessThan(6 * 4000);
  });

  it('takes the last id of a text behind a letter for a breaker, by the request’s tokenizer', () => {
    const chain = [{ use: 'dry', multiplier: 1, base: 2, breakers: ['zd', 'cb', 2] }];
    const made = createChain(chain, { tokenizer });
    expect(made.versions()).toEqual({ dry: 'letters, 4 ids' });
    const step = new Dry({ multiplier: 1, base: 2, breakers: ['zd'] }, tokenizer);
    expectSameBits(logitsAfter(step, ZEROS, { output: [3, 0, 1, 2, 3, 0, 1] }), [0, 0, -1, 0]);
    const two = new Dry({ multiplier: 1, base: 2, breakers: ['cd'] }, tokenizer); // d alone, not c before it
    expectSameBits(logitsAfter(two, ZEROS, { output: [3, 0, 1, 2, 3, 0, 1] }), [0, 0, -1, 0]);
    expect(new Dry({ multiplier: 1, breakers: [0] }, tokenizer).version).toBeUndefined();
  });

  it('has a newline, a colon, a quotation mark and an asterisk for breakers where none are given', () => {
    const asked: string[] = [];
    const spy: Tokenizer = {
      ...tokenizer,
      encode: (text) => {
        asked.push(text);
        return [0, 1];
      },
    };
    expect(new Dry({ multiplier: 1 }, spy).active).toBe(true);
    expect(asked).toEqual(['a\n', 'a:', 'a"', 'a*']);
  });

  it('needs the tokenizer for texts', () => {
    const message =
      'Dry: `tokenizer` must be there, as `breakers[0]` is a text: the option `tokenizer`, TOKENS.tokenizer bound in the ' +
      'container, or the second argument of the class, got undefined';
    expect(() => new Dry({ multiplier: 1 })).toRefuse(message);
    expect(() => createSampler({}, { chain: [{ use: 'dry', multiplier: 1 }] })).toRefuse(message);
  });

  it.each([
    [{ multiplier: -1 }, '`multiplier` must be a finite number >= 0, got -1'],
    [{ multiplier: 1, base: 0.99 }, '`base` must be a finite number >= 1, got 0.99'],
    [{ multiplier: 1, allowed_length: 0.5 }, '`allowed_length` must be an integer >= 0, got 0.5'],
    [{ multiplier: 1, window: 0 }, '`window` must be an integer >= 1, got 0'],
    [{ multiplier: 1, breakers: 3 }, '`breakers` must be an array of texts and ids, got 3'],
    [{ multiplier: 1, breakers: [1, ''] }, '`breakers[1]` must be a non-empty text or an id, an integer >= 0, got ""'],
    [{ multiplier: 1, breakers: [-1] }, '`breakers[0]` must be a non-empty text or an id, an integer >= 0, got -1'],
  ])('refuses the options %j', (options, message) => {
    expect(() => new Dry(options as never, tokenizer)).toRefuse(`Dry: ${message}`);
  });

  it('refuses where no id would be left, and a breaker that is not below V, and changes nothing', () => {
    const huge = new Dry({ multiplier: 1e308, base: 1e308, allowed_length: 0, breakers: [] });
    const message = 'Dry: `multiplier` must be such that an id is left above -Infinity, got 1e+308';
    expectUnchanged(huge, [1, -Infinity], message, { output: [0, 0] });
    const beyond = 'Dry: `breakers[1]` must be an integer in [0, 2), got 2';
    expectUnchanged(new Dry({ multiplier: 1, breakers: [0, 2] }), [0, 0], beyond, { output: [0, 0] });
  });
});
