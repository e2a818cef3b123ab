/**
 * The tokenizer.json of a byte-level BPE tokenizer, as far as it is read: special tokens, vocabulary, merges.
 */
import { checkFields } from '../../processors/check-options.js';
import { listOf } from '../../processors/list-schema.js';
import { integerFrom } from '../../processors/schema.js';
import * as z from '../../processors/zod.js';
import { InvalidValueError } from '../errors.js';
import { BYTE_CHARACTERS } from './byte-alphabet.js';
import { literal } from './literal.js';

const OWNER = 'EmbeddedTokenizer';

function object<S extends z.core.$ZodShape>(shape: S): z.ZodMiniObject<S> {
  return z.object(shape, { error: 'an object' });
}

const text = z.string({ error: 'a string' });
const merge = z.tuple([text, text], { error: 'two strings' });

/** What would change how a text is cut (a normalizer, a prefix space, whole words looked up) is refused, not ignored. */
const schema = z.strictObject({
  added_tokens: listOf(object({ id: integerFrom(0), content: text, special: literal(true) }), 'an array'),
  normalizer: z.null({ error: 'null' }),
  pre_tokenizer: object({ type: literal('ByteLevel'), add_prefix_space: literal(false), use_regex: literal(true) }),
  model: object({
    type: literal('BPE'),
    byte_fallback: z.optional(literal(false)),
    ignore_merges: z.optional(literal(false)),
    vocab: z.record(text, integerFrom(0), { error: 'an object' }),
    merges: listOf(merge, 'an array'),
  }),
});

export interface TokenizerData {
  /** The token of each id, in [0, V): text in the byte alphabet, or a special token as it is written. */
  readonly tokens: readonly string[];
  /** The ids of special tokens. */
  readonly special: ReadonlySet<number>;
  readonly vocab: Readonly<Record<string, number>>;
  readonly merges: readonly (readonly [string, string])[];
}

/**
 * `input`, the value of a tokenizer.json, checked: its ids are 0 to V - 1; every byte has a token, and every merge gives
 * one that is not special, so that any text is encoded without loss. Throws InvalidValueError otherwise.
 */
export function readTokenizerJson(input: unknown): TokenizerData {
  const { added_tokens: added, model } = checkFields(OWNER, schema, input, 'json');
  const ids = new Map([...Object.entries(model.vocab), ...added.map(({ content, id }) => [content, id] as const)]);
  const special = new Set(added.map(({ id }) => id));
  checkReached(BYTE_CHARACTERS, 'model.vocab', ids, special);
  checkReached(
    model.merges.map((pair) => pair.join('')),
    'model.merges',
    ids,
    special,
  );
  return { tokens: tokensById(ids), special, vocab: model.vocab, merges: model.merges };
}

/** Every text that encoding may arrive at is an ordinary token. */
function checkReached(
  texts: readonly string[],
  name: string,
  ids: ReadonlyMap<string, number>,
  special: ReadonlySet<number>,
): void {
  for (const token of texts) {
    const id = ids.get(token);
    if (id !== undefined && !special.has(id)) continue;
    throw new InvalidValueError(
      OWNER,
      name,
      `such that ${JSON.stringify(token)} is an ordinary token`,
      id ?? 'no token',
    );
  }
}

function tokensById(ids: ReadonlyMap<string, number>): string[] {
  const tokens: string[] = [];
  for (const [token, id] of ids) {
    if (id >= ids.size || tokens[id] !== undefined) {
      throw new InvalidValueError(OWNER, 'model.vocab', `a numbering of ${ids.size} tokens from 0`, { [token]: id });
    }
    tokens[id] = token;
  }
  return tokens;
}
