/**
 * The embedded model's config.json: sizes under the names that Hugging Face gives them, and the special tokens.
 */
import { z } from 'zod';
import { checkOptions, integerFrom, nonNegative } from '../../processors/schema.js';
import { InvalidValueError } from '../errors.js';

const OWNER = 'EmbeddedModel';

function literal<T extends string | boolean>(value: T): z.ZodLiteral<T> {
  return z.literal(value, { error: JSON.stringify(value) });
}

/** Fields that are not named here (`rope_theta`: the tables hold what follows from it) do not concern the pass. */
const schema = z.object({
  model_type: literal('llama'),
  /** V. */
  vocab_size: integerFrom(1),
  /** d: the length of a position's vector. */
  hidden_size: integerFrom(1),
  num_hidden_layers: integerFrom(0),
  num_attention_heads: integerFrom(1),
  /** The length of a head's query, key and value: even, since its halves are turned together. */
  head_dim: integerFrom(2),
  /** The length of the feed-forward step's hidden vector. */
  intermediate_size: integerFrom(1),
  rms_norm_eps: nonNegative(),
  /** The most positions. */
  n_ctx: integerFrom(1),
  /** The matrix of the embedding gives the logits, too. */
  tie_word_embeddings: literal(true),
  begin_id: integerFrom(0).optional(),
  end_ids: z.array(integerFrom(0), { error: 'an array of integers >= 0' }),
});

export type ModelConfig = Readonly<z.output<typeof schema>>;

/** `input`, the value of a config.json, checked. Throws InvalidValueError for the first field that is wrong. */
export function readModelConfig(input: unknown): ModelConfig {
  const config = checkOptions(OWNER, schema, input);
  if (config.head_dim % 2 !== 0) throw new InvalidValueError(OWNER, 'head_dim', 'even', config.head_dim);
  const domain = `an integer in [0, ${config.vocab_size})`;
  if (config.begin_id !== undefined && config.begin_id >= config.vocab_size) {
    throw new InvalidValueError(OWNER, 'begin_id', domain, config.begin_id);
  }
  for (const [i, id] of config.end_ids.entries()) {
    if (id >= config.vocab_size) throw new InvalidValueError(OWNER, `end_ids[${i}]`, domain, id);
  }
  return config;
}
