import { type Candidates, NothingLeftError, Processor, processor, type StepContext } from '../contract.js';
import { listOf } from '../list-schema.js';
import * as z from '../zod.js';
import { banIds } from './ban-ids.js';
import { checkWithin, LEAVES_ONE, someIds } from './ids.js';

const WORDS = 'a non-empty array of words, each an array of ids';

export const badWordsOptions = z.strictObject({
  words: listOf(someIds(), WORDS, 1),
});

/**
 * Bad words: no listed sequence of ids is completed.
 *
 * A word of one id is always banned. A longer one bans its last id where prompt and output end with the ids before it, so
 * that it may begin, and a prompt may begin it, but it does not end. A word is what a tokenizer made of it: one text can
 * have several (with a leading space, say), and each is listed. Refused when nothing would remain, and, at any token, for
 * an id that is not below V.
 * Source: Hugging Face, NoBadWordsLogitsProcessor, bad_words_ids.
 * Differs from Hugging Face: a word one id longer than the context counts, and an end id alone is a word. Differs from
 * vLLM (bad_words): the prompt counts.
 */
@processor({ name: 'bad-words', options: badWordsOptions, stage: 'scores', leavesOne: true })
export class BadWords extends Processor<typeof badWordsOptions> {
  process(candidates: Candidates, { history }: StepContext): void {
    const { words } = this.options;
    const banned = new Set<number>();
    for (let i = 0; i < words.length; i++) {
      const word = words[i] as readonly number[];
      checkWithin(word, candidates.vocabSize, 'BadWords', `words[${i}]`);
      if (isBegun(word, history.sequence)) banned.add(word[word.length - 1] as number);
    }
    banIds(candidates, [...banned], () => new NothingLeftError('BadWords', 'words', LEAVES_ONE, words));
  }
}

/** Whether the context ends with all of `word` but its last id. */
function isBegun(word: readonly number[], ids: readonly number[]): boolean {
  const before = ids.length - (word.length - 1);
  if (before < 0) return false;
  for (let i = word.length - 2; i >= 0; i--) if (ids[before + i] !== word[i]) return false;
  return true;
}
