/**
 * The embedded model's config.json: sizes under the names that Hugging Face gives them, and the special tokens.
 */
import { checkFields } from '../../processors/check-options.js';
import { listOf } from '../../processors/list-schema.js';
import { integerFrom, nonNegative, numberIn } from '../../processors/schema.js';
import * as z from '../../processors/zod.js';
import { InvalidValueError } from '../errors.js';
import { LANES } from './eight-sums.js';
import { literal } from './literal.js';

const OWNER = 'EmbeddedModel';

/** A length that the pass takes eight at a time. */
function multipleOfLanes(): z.ZodMiniNumber<number> {
  const accepts = (x: number) => Number.isSafeInteger(x) && x > 0 && x % LANES === 0;
  return numberIn(`a positive multiple of ${LANES}`, accepts);
}

/** Fields that are not named here (`rope_theta`: the tables hold what follows from it) do not concern the pass. */
const schema = z.strictObject({
  model_type: literal('llama'),
  /** V. */
  vocab_size: multipleOfLanes(),
  /** d: the length of a position's vector. */
  hidden_size: multipleOfLanes(),
  num_hidden_layers: integerFrom(0),
  num_attention_heads: integerFrom(1),
  /** The length of a head's query, key and value. */
  head_dim: multipleOfLanes(),
  /** The length of the feed-forward step's hidden vector. */
  intermediate_size: multipleOfLanes(),
  rms_norm_eps: nonNegative(),
  /** The most positions. */
  n_ctx: integerFrom(1),
  /** The matrix of the embedding gives the logits, too. */
  tie_word_embeddings: literal(true),
  begin_id: z.optional(integerFrom(0)),
  end_ids: listOf(integerFrom(0), 'an array of integers >= 0'),
});

export type ModelConfig = Readonly<z.output<typeof schema>>;

/** `input`, the value of a config.json, checked. Throws InvalidValueError for the first field that is wrong. */
export function readModelConfig(input: unknown): ModelConfig {
  const config = checkFields(OWNER, schema, input, 'config');
  const domain = `an integer in [0, ${config.vocab_size})`;
  if (config.begin_id !== undefined && config.begin_id >= config.vocab_size) {
    throw new InvalidValueError(OWNER, 'begin_id', domain, config.begin_id);
  }
  for (const [i, id] of config.end_ids.entries()) {
    if (id >= config.vocab_size) throw new InvalidValueError(OWNER, `end_ids[${i}]`, domain, id);
  }
  return config;
}

/** The fields of `config` that the pass reads, always in the same order. */
export function readFields(config: ModelConfig): [name: string, value: unknown][] {
  return Object.keys(schema.shape).map((name) => [name, config[name as keyof ModelConfig]]);
}
