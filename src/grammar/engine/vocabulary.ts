/**
 * The tokens of a model, read from its tokenizer and handed to the engine in slices: between two of them others may run.
 */
import type { Ids } from '../../../processors/plain-ids.js';
import type { Tokenizer } from '../../../processors/tokenizer.js';
import { breathe } from '../../decode/session/breathe.js';
import { InvalidValueError } from '../../errors.js';
import { readIds } from '../../inputs.js';
import { checkedTokenizer } from '../../model/checked-tokenizer.js';
import type { Instance } from './instance.js';
import { ANY_STEPS } from './limits.js';
import { bytesOfWords } from './words.js';

const OWNER = 'createGrammars';
/** Tokens between two breaths. */
const SLICE = 8192;
/** The engine counts tokens in 24 bits, and the bytes of one in 10. */
const MOST_TOKENS = 0xfffffe;
const LONGEST_TOKEN = 1024;
/** No byte of any text in UTF-8; the engine marks with it what is no text. */
const MARK = 0xff;

export interface VocabularyOptions {
  readonly tokenizer: Tokenizer;
  /** The ids that end a text; at least one, in [0, V). They come exactly where a text is complete. */
  readonly endIds: Ids;
  /** V of the model, where it is more than the tokenizer's: ids beyond that are never allowed. */
  readonly vocabSize?: number;
}

export interface CheckedVocabulary {
  readonly tokenizer: Tokenizer;
  readonly endIds: readonly number[];
  readonly vocabSize: number;
}

export interface Vocabulary {
  /** Whose tokens they are. */
  readonly tokenizer: Pick<Tokenizer, 'id' | 'vocabSize'>;
  readonly vocabSize: number;
  readonly endIds: ReadonlySet<number>;
  /** Whether `id` stands for bytes that a text may have. */
  isText(id: number): boolean;
}

/** Reads the vocabulary and builds it in `instance`; with it, where it lies there. */
export async function buildVocabulary(
  { tokenizer, vocabSize, endIds }: CheckedVocabulary,
  instance: Instance,
): Promise<{ readonly vocabulary: Vocabulary; readonly at: number }> {
  const ends = new Set(endIds);
  const hasText = new Uint8Array(vocabSize);
  const builder = instance.call(({ builder_new }) => builder_new(vocabSize), ANY_STEPS);
  for (let from = 0; from < vocabSize; from += SLICE) {
    const words = readSlice(tokenizer, ends, from, Math.min(vocabSize, from + SLICE));
    words.forEach((word, i) => {
      if (word.length > 0) hasText[from + i] = 1;
    });
    addSlice(instance, builder, words);
    await breathe(undefined);
  }
  instance.give(bytesOfWords([...ends]), (at) => {
    instance.call(({ builder_trie }) => builder_trie(builder, at, ends.size), ANY_STEPS);
  });
  await breathe(undefined);
  const built = instance.ask(
    ({ builder_finish }) => builder_finish(builder),
    (pointer) => pointer === 0,
    ANY_STEPS,
  );
  return { vocabulary: { tokenizer, vocabSize, endIds: ends, isText: (id) => hasText[id] === 1 }, at: built };
}

function addSlice(instance: Instance, builder: number, words: readonly Uint8Array[]): void {
  const parts = [bytesOfWords(words.map(({ length }) => length)), ...words];
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) {
    bytes.set(part, end);
    end += part.length;
  }
  instance.give(bytes, (at) => {
    instance.call(({ builder_add }) => builder_add(builder, at, words.length, at + 4 * words.length), ANY_STEPS);
  });
}

/** The bytes of the ids from `from` on; none for those that end a text or can be in none. */
function readSlice(tokenizer: Tokenizer, ends: ReadonlySet<number>, from: number, to: number): Uint8Array[] {
  return Array.from({ length: to - from }, (_, i) => {
    const id = from + i;
    if (ends.has(id)) return new Uint8Array();
    const bytes = tokenizer.tokenBytes(id);
    if (bytes.length > LONGEST_TOKEN) {
      const domain = `one whose tokens have at most ${LONGEST_TOKEN} bytes`;
      throw new InvalidValueError(OWNER, 'tokenizer', domain, `${bytes.length} bytes for the id ${id}`);
    }
    return bytes.includes(MARK) ? new Uint8Array() : bytes;
  });
}

/** Throws InvalidValueError for options that do not fit. */
export function checkVocabulary(options: VocabularyOptions): CheckedVocabulary {
  const tokenizer = checkedTokenizer(OWNER, options.tokenizer);
  const { vocabSize = tokenizer.vocabSize } = options;
  if (!(Number.isInteger(vocabSize) && vocabSize >= tokenizer.vocabSize && vocabSize <= MOST_TOKENS)) {
    const domain = `an integer in [${tokenizer.vocabSize}, ${MOST_TOKENS}], from the tokenizer's on`;
    throw new InvalidValueError(OWNER, 'vocabSize', domain, vocabSize);
  }
  const domain = `a non-empty array of integers in [0, ${vocabSize})`;
  const endIds = readIds(OWNER, 'endIds', options.endIds, vocabSize, domain);
  if (endIds.length === 0) throw new InvalidValueError(OWNER, 'endIds', domain, endIds);
  return { tokenizer, endIds, vocabSize };
}
