import { type Candidates, NothingLeftError, type StepContext } from '../contract.js';
import { listOf } from '../list-schema.js';
import { Processor, processor } from '../processor.js';
import type { Tokenizer } from '../tokenizer.js';
import { ifGiven, TOKENS } from '../tokens.js';
import * as z from '../zod.js';
import { banIds } from './parts/ban-ids.js';
import { checkWithin, LEAVES_ONE, textOrIds } from './parts/ids.js';
import { isBegun } from './parts/is-begun.js';
import { idsOfText, tokenizerVersion } from './parts/text-ids.js';

const OWNER = 'BadWords';
const WORDS = 'a non-empty array of words, each a text or an array of ids';

export const badWordsOptions = z.strictObject({
  words: listOf(textOrIds(), WORDS, 1),
});

interface Word {
  /** Where it stands in the options. */
  readonly name: string;
  readonly ids: readonly number[];
}

/**
 * Bad words: no listed text, or sequence of ids, is completed.
 *
 * A word of one id is always banned. A longer one bans its last id where prompt and output end with the ids before it, so
 * that it may begin, and a prompt may begin it, but it does not end. A text is two words, by the request's tokenizer: without
 * the spaces that it begins with, as a text may begin with it, and behind one space, as it stands within a text. What a
 * tokenizer makes of the same letters behind others, or in other cases, is another word. Refused when nothing would remain,
 * and, at any token, for an id that is not below V.
 * Source: Hugging Face, NoBadWordsLogitsProcessor, bad_words_ids; for texts vLLM, bad_words.
 * Differs from Hugging Face: a word one id longer than the context counts, and an end id alone is a word. Differs from
 * vLLM: the prompt counts, and the word behind a space is banned also where it has more ids than the one without.
 * Example: { "use": "bad-words", "words": [[318, 257], [1332]] }
 */
@processor({
  name: 'bad-words',
  options: badWordsOptions,
  stage: 'scores',
  leavesOne: true,
  inject: [ifGiven(TOKENS.tokenizer)],
})
export class BadWords extends Processor<typeof badWordsOptions> {
  /** Whose ids the texts are, where there are texts. */
  readonly version?: string;
  readonly #words: readonly Word[];

  /** @param tokenizer for words that are texts */
  constructor(options: z.input<typeof badWordsOptions>, tokenizer?: Tokenizer) {
    super(options);
    const { words } = this.options;
    this.#words = words.flatMap((word, i) => wordsOf(word, `words[${i}]`, tokenizer));
    if (words.some((word) => typeof word === 'string')) this.version = tokenizerVersion(tokenizer as Tokenizer);
  }

  process(candidates: Candidates, { history }: StepContext): void {
    const banned = new Set<number>();
    for (const { name, ids } of this.#words) {
      checkWithin(ids, candidates.vocabSize, OWNER, name);
      if (isBegun(ids, history.sequence)) banned.add(ids[ids.length - 1] as number);
    }
    banIds(candidates, [...banned], () => new NothingLeftError(OWNER, 'words', LEAVES_ONE, this.options.words));
  }
}

function wordsOf(word: string | readonly number[], name: string, tokenizer: Tokenizer | undefined): Word[] {
  if (typeof word !== 'string') return [{ name, ids: word }];
  const text = word.replace(/^ +(?=.)/s, '');
  return [text, ` ${text}`].map((variant) => ({ name, ids: idsOfText(OWNER, name, variant, tokenizer) }));
}
