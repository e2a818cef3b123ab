import { describe, expect, it } from 'vitest';
import type { Tokenizer } from '../../../processors/index.js';
import { BadWords, createChain, createSampler, restoreSampler, saveSampler } from '../../../src/index.js';
import { expectSameBits } from '../../support/bits.js';
import { agreesWithPlainArrays, expectUnchanged, logitsAfter, randomIds, without } from './plain-masks.js';

const M = -Infinity;

describe('BadWords', () => {
  it.each([
    { words: [[1]], prompt: [], output: [], banned: [1], why: 'a word of one id, always' },
    { words: [[2, 1]], prompt: [], output: [2], banned: [1], why: 'begun' },
    { words: [[2, 1]], prompt: [2], output: [], banned: [1], why: 'begun by the prompt' },
    { words: [[2, 1]], prompt: [], output: [2, 0], banned: [], why: 'begun and left' },
    { words: [[2, 1]], prompt: [], output: [], banned: [], why: 'not begun' },
    { words: [[0, 2, 1]], prompt: [0], output: [2], banned: [1], why: 'begun across the end of the prompt' },
    { words: [[0, 2, 1]], prompt: [], output: [2], banned: [], why: 'the context is shorter than the beginning' },
    { words: [[0, 2, 1]], prompt: [], output: [1, 2], banned: [], why: 'another beginning' },
    { words: [[2, 1], [2, 3], [0]], prompt: [], output: [2], banned: [0, 1, 3], why: 'several words' },
    { words: [[2, 1], [1]], prompt: [], output: [2], banned: [1], why: 'two words with one end' },
  ])('$words after $prompt and $output bans $banned: $why', ({ words, prompt, output, banned }) => {
    const logits = [1, 2, 3, 4, 5];
    expectSameBits(logitsAfter(new BadWords({ words }), logits, { prompt, output }), without(logits, banned));
  });

  agreesWithPlainArrays((random, V) => {
    const narrow = Math.min(V, 5);
    const length = 1 + random.below(8);
    const words = Array.from({ length }, () => randomIds(random, random.below(12) === 0 ? V : narrow, 3, 1));
    return {
      step: new BadWords({ words }),
      rule: (l, { prompt, output }) => {
        const ids = [...prompt, ...output];
        const begun = words.filter((word) => {
          const tail = ids.slice(Math.max(0, ids.length - (word.length - 1)));
          return word.length === 1 || tail.join() === word.slice(0, -1).join();
        });
        if (words.flat().some((id) => id >= V)) return undefined;
        return without(
          l,
          begun.map((word) => word.at(-1) as number),
        );
      },
    };
  });

  it('refuses where nothing would be left, and changes nothing', () => {
    expectUnchanged(
      new BadWords({ words: [[2], [0, 0]] }),
      [0, M, 0],
      'BadWords: `words` must be such that at least one of the kept ids remains, got [[2], [0, 0]]',
      { output: [0] },
    );
  });

  it('refuses an id that is not below V anywhere in a word', () => {
    const message = 'BadWords: `words[1][0]` must be an integer in [0, 3), got 3';
    expectUnchanged(new BadWords({ words: [[1], [3, 1]] }), [0, 0, 0], message);
  });

  it.each([
    { words: [[]], message: '`words[0]` must be a non-empty text or array of ids, got []' },
    { words: [[1], []], message: '`words[1]` must be a non-empty text or array of ids, got []' },
    { words: [], message: '`words` must be a non-empty array of words, each a text or an array of ids, got []' },
    {
      words: undefined,
      message: '`words` must be a non-empty array of words, each a text or an array of ids, got undefined',
    },
    { words: [1], message: '`words[0]` must be a non-empty text or array of ids, got 1' },
    { words: [[1, -1]], message: '`words[0][1]` must be an integer >= 0, got -1' },
    { words: ['no', ''], message: '`words[1]` must be a non-empty text or array of ids, got ""' },
  ])('refuses the words $words', ({ words, message }) => {
    expect(() => new BadWords({ words } as never)).toRefuse(`BadWords: ${message}`);
  });

  it('has frozen options, and is part of chains as data', () => {
    const { words } = new BadWords({ words: [[1, 2]] }).options;
    expect([Object.isFrozen(words), Object.isFrozen(words[0])]).toEqual([true, true]);
    const data = [{ use: 'bad-words', words: [[1], [2, 3]] }, { use: 'logprobs' }];
    expect(createChain(JSON.parse(JSON.stringify(createChain(data).toData()))).toData()).toEqual(data);
  });
});

/** Of the letters, of " a" and " bc" as single ids, and of the space. */
const PIECES = ['a', 'b', 'c', ' ', ' a', ' bc', 'ab'];

/** The longest piece that fits comes next, as in a BPE. */
const tokenizer: Tokenizer = {
  id: 'longest first',
  vocabSize: PIECES.length,
  encode(text) {
    const ids: number[] = [];
    while (text !== '') {
      const fits = PIECES.filter((piece) => text.startsWith(piece));
      const best = fits.reduce((a, b) => (b.length > a.length ? b : a));
      ids.push(PIECES.indexOf(best));
      text = text.slice(best.length);
    }
    return ids;
  },
  tokenBytes: (id) => new TextEncoder().encode(PIECES[id]),
};

describe('BadWords of texts', () => {
  it.each([
    { words: ['a'], output: [], banned: [0, 4], why: 'one id, without a space and with one' },
    { words: [' a'], output: [], banned: [0, 4], why: 'the same, whatever space it is given with' },
    { words: ['   a'], output: [], banned: [0, 4], why: 'the same for several' },
    { words: ['bc'], output: [], banned: [5], why: 'two ids without a space, not begun' },
    { words: ['bc'], output: [1], banned: [2, 5], why: 'two ids without a space, begun' },
    { words: ['ba'], output: [3, 1], banned: [0], why: 'a space that is an id of its own' },
    { words: ['ba'], output: [3], banned: [], why: 'the space alone begins nothing' },
    { words: [' '], output: [], banned: [3], why: 'a space' },
    { words: ['a', [6]], output: [], banned: [0, 4, 6], why: 'texts beside ids' },
  ])('$words after $output bans $banned: $why', ({ words, output, banned }) => {
    const logits = [1, 2, 3, 4, 5, 6, 7];
    const step = new BadWords({ words }, tokenizer);
    expectSameBits(logitsAfter(step, logits, { prompt: [], output }), without(logits, banned));
  });

  it('never completes a word, whatever is drawn', () => {
    const chain = [{ use: 'bad-words', words: ['ab', 'bc'] }];
    const sampler = createSampler({ seed: 3 }, { chain, tokenizer });
    let text = '';
    for (let i = 0; i < 400; i++) text += PIECES[sampler.sample(new Float32Array(PIECES.length)).id];
    expect(text.match(/a/g)?.length).toBeGreaterThan(20);
    expect(sampler.history.output.filter((id) => id === 5 || id === 6)).toEqual([]);
    expect(sampler.history.output.join()).not.toMatch(/\b1,2\b/);
  });

  it('has its texts as they were given in the chain as data, and whose ids they are as its version', () => {
    const data = [{ use: 'bad-words', words: ['a', [1, 2]] }, { use: 'logprobs' }];
    const chain = createChain(data, { tokenizer });
    expect(chain.toData()).toEqual(data);
    expect(chain.versions()).toEqual({ 'bad-words': 'longest first, 7 ids' });
    expect(new BadWords({ words: [[1]] }, tokenizer).version).toBeUndefined();
  });

  it('goes on where it was saved, and not with another tokenizer', () => {
    const sampler = createSampler({ seed: 3 }, { chain: [{ use: 'bad-words', words: ['bc'] }], tokenizer });
    const saved = JSON.parse(JSON.stringify(saveSampler(sampler)));
    const row = new Float32Array(PIECES.length);
    expect(restoreSampler(saved, { tokenizer }).sample(row)).toEqual(sampler.sample(row));
    expect(() => restoreSampler(saved, { tokenizer: { ...tokenizer, id: 'other' } })).toRefuse(
      'SamplerState: `versions.bad-words` must be "other, 7 ids", that of the step made here, got "longest first, 7 ids"',
    );
  });

  it('needs the tokenizer of the request', () => {
    const message =
      'BadWords: `tokenizer` must be there, as `words[1]` is a text: the option `tokenizer`, TOKENS.tokenizer bound in the ' +
      'container, or the second argument of the class, got undefined';
    expect(() => createSampler({}, { chain: [{ use: 'bad-words', words: [[1], 'a'] }] })).toRefuse(message);
    expect(() => new BadWords({ words: [[1], 'a'] })).toRefuse(message);
  });

  it.each([
    [{ ...tokenizer, encode: () => [] }, 'BadWords: `words[0]` must be a text that the tokenizer has ids for, got "a"'],
    [{ ...tokenizer, encode: () => [-1] }, 'Tokenizer: `encode()[0]` must be an integer >= 0, got -1'],
  ])('refuses what the tokenizer %o makes of it', (wrong, message) => {
    expect(() => new BadWords({ words: ['a'] }, wrong)).toRefuse(message);
  });

  it('refuses an id that is not below V, by the word that it is of', () => {
    const wide = { ...tokenizer, encode: () => [3, 1] };
    const message = 'BadWords: `words[1][0]` must be an integer in [0, 3), got 3';
    expectUnchanged(new BadWords({ words: [[1], 'x'] }, wide), [0, 0, 0], message);
  });
});
