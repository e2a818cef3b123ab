import { describe, expect, it } from 'vitest';
import { BadWords, createChain } from '../../../src/index.js';
import { expectSameBits } from '../../oracle/bits.js';
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
    { words: [[]], message: '`words[0]` must be a non-empty array of ids, got []' },
    { words: [[1], []], message: '`words[1]` must be a non-empty array of ids, got []' },
    { words: [], message: '`words` must be a non-empty array of words, each an array of ids, got []' },
    { words: undefined, message: '`words` must be a non-empty array of words, each an array of ids, got undefined' },
    { words: [1], message: '`words[0]` must be a non-empty array of ids, got 1' },
    { words: [[1, -1]], message: '`words[0][1]` must be an integer >= 0, got -1' },
    { words: ['no'], message: '`words[0]` must be a non-empty array of ids, got "no"' },
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
