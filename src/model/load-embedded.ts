/**
 * The embedded model and its tokenizer from their files, in Node, Bun, Deno and browsers.
 */
import { InvalidValueError } from '../errors.js';
import { EmbeddedModel } from './embedded-model.js';
import { EmbeddedTokenizer } from './embedded-tokenizer.js';
import { readBytes } from './read-bytes.js';
import { Safetensors } from './safetensors.js';

const OWNER = 'loadEmbedded';

export interface Embedded {
  readonly model: EmbeddedModel;
  readonly tokenizer: EmbeddedTokenizer;
}

/**
 * Reads `config.json`, `tokenizer.json` and `weights.safetensors` in the folder `base`, a URL that ends with a slash.
 * Default: the package's own model, where the package's files lie as they were installed; a bundle says where it serves
 * them. `file:` is read from the file system, anything else is fetched.
 * Throws InvalidValueError, which names the file, for one that cannot be read or is not what it should be.
 */
export async function loadEmbedded(base: URL = packagedModel()): Promise<Embedded> {
  const [config, tokenizerJson, weights] = await Promise.all([
    readJson(base, 'config.json'),
    readJson(base, 'tokenizer.json'),
    readBytes(base, 'weights.safetensors', OWNER),
  ]);
  const model = new EmbeddedModel(config, new Safetensors(weights, 'weights.safetensors'));
  const tokenizer = new EmbeddedTokenizer(tokenizerJson);
  if (tokenizer.vocabSize === model.vocabSize) return { model, tokenizer };
  const domain = `a tokenizer of ${model.vocabSize} tokens, like the model's config.json`;
  throw new InvalidValueError(OWNER, 'tokenizer.json', domain, tokenizer.vocabSize);
}

/** The source lies two folders below the package's root, what is built from it (`dist/src/model`) three. */
function packagedModel(): URL {
  const isSource = new URL(import.meta.url).pathname.endsWith('.ts');
  return new URL(isSource ? '../../fixtures/model/' : '../../../fixtures/model/', import.meta.url);
}

async function readJson(base: URL, name: string): Promise<unknown> {
  const text = new TextDecoder().decode(await readBytes(base, name, OWNER));
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidValueError(OWNER, name, 'JSON', text);
  }
}
