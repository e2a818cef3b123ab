/**
 * The embedded model: a small transformer of the Llama kind that runs in plain TypeScript.
 *
 * Its logits are the same bits in every engine, and however a sequence is cut into calls of `append`.
 */
import { InvalidValueError } from '../errors.js';
import { hasFunction } from '../kinds.js';
import type { LanguageModel } from '../model/language-model.js';
import { sha256 } from '../sha256.js';
import { buildTransformer } from './build-transformer.js';
import { EmbeddedSession } from './embedded-session.js';
import { readFields, readModelConfig } from './model-config.js';
import type { Safetensors } from './safetensors.js';
import type { Transformer } from './transformer.js';

export class EmbeddedModel implements LanguageModel {
  readonly exact = true;
  readonly vocabSize: number;
  readonly contextLength: number;
  readonly beginId: number | undefined;
  readonly endIds: readonly number[];
  readonly #transformer: Transformer;
  /** The id, or how to come by it: the file's bytes are held until then. */
  #id: string | (() => string);

  /**
   * `config` is the value of a config.json, `weights` the file that goes with it: Hugging Face's names for a Llama with
   * tied embeddings, and the tables `rotary.cos` and `rotary.sin`, [n_ctx, head_dim / 2].
   * Throws InvalidValueError for a field or a tensor that is missing or does not fit.
   */
  constructor(config: unknown, weights: Safetensors) {
    if (!hasFunction(weights, 'floats'))
      throw new InvalidValueError('EmbeddedModel', 'weights', 'a Safetensors', weights);
    const checked = readModelConfig(config);
    this.vocabSize = checked.vocab_size;
    this.contextLength = checked.n_ctx;
    this.beginId = checked.begin_id;
    this.endIds = Object.freeze([...checked.end_ids]);
    this.#transformer = buildTransformer(checked, weights);
    this.#id = () => `sha256:${sha256(JSON.stringify(readFields(checked)), weights.digest())}`;
  }

  /** SHA-256 of the config, as far as it is read, and of the file of the weights; worked out when first asked for. */
  get id(): string {
    if (typeof this.#id !== 'string') this.#id = this.#id();
    return this.#id;
  }

  /** An empty sequence, with room for `contextLength` positions. */
  open(): EmbeddedSession {
    return new EmbeddedSession(this.#transformer, this.vocabSize, this.contextLength);
  }
}
