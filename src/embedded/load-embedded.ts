/**
 * The embedded model and its tokenizer from their files, in Node, Bun, Deno, browsers and bundles.
 */
import { InvalidValueError } from '../errors.js';
import { packagedBytes } from '../files/packaged-bytes.js';
import { readBytes } from '../files/read-bytes.js';
import { readable } from '../inputs.js';
import { isPlainObject, isUint8Array, isUrl } from '../kinds.js';
import { EmbeddedModel } from './embedded-model.js';
import { EmbeddedTokenizer } from './embedded-tokenizer.js';
import { MODEL_FILES, type ModelFile, packagedModelFile } from './packaged-model.js';
import { Safetensors } from './safetensors.js';

const OWNER = 'loadEmbedded';

export interface Embedded {
  readonly model: EmbeddedModel;
  readonly tokenizer: EmbeddedTokenizer;
}

/** Each file of the model by its name: where it is, or its bytes. */
export type EmbeddedFiles = Readonly<Record<ModelFile, URL | Uint8Array>>;

/**
 * Reads `config.json`, `tokenizer.json` and `weights.safetensors`: from a folder, a URL that ends with a slash, or each
 * from its own URL or bytes.
 *
 * Default: the package's own model, where its files were installed. Vite and webpack take these files into a bundle by
 * themselves; esbuild and Rollup do not, and there the files of the package's `fixtures/model/` are served with the
 * bundle and `files` says where. `file:` is read from the file system, anything else is fetched.
 * Throws InvalidValueError, which names the file, for one that cannot be read or is not what it should be.
 */
export async function loadEmbedded(files?: URL | EmbeddedFiles): Promise<Embedded> {
  checkFiles(files);
  const [config, tokenizerJson, weights] = await Promise.all([
    readJson(files, 'config.json'),
    readJson(files, 'tokenizer.json'),
    readFile(files, 'weights.safetensors'),
  ]);
  const model = new EmbeddedModel(config, new Safetensors(weights, 'weights.safetensors'));
  const tokenizer = new EmbeddedTokenizer(tokenizerJson);
  if (tokenizer.vocabSize === model.vocabSize) return { model, tokenizer };
  const domain = `a tokenizer of ${model.vocabSize} tokens, like the model's config.json`;
  throw new InvalidValueError(OWNER, 'tokenizer.json', domain, tokenizer.vocabSize);
}

function checkFiles(files: unknown): void {
  if (files === undefined || isUrl(files)) return;
  const domain = `a URL, or an object with ${MODEL_FILES.join(', ')}`;
  if (!isPlainObject(files)) throw new InvalidValueError(OWNER, 'files', domain, files);
  const foreign = readable(OWNER, 'files', files, () => Object.keys(files)).find(
    (name) => !MODEL_FILES.some((file) => file === name),
  );
  if (foreign !== undefined) throw new InvalidValueError(OWNER, 'files', domain, foreign);
  for (const name of MODEL_FILES) {
    const file = readable(OWNER, `files['${name}']`, files, () => files[name]);
    if (isUrl(file) || isUint8Array(file)) continue;
    throw new InvalidValueError(OWNER, `files['${name}']`, 'a URL or a Uint8Array', file);
  }
}

async function readFile(files: URL | EmbeddedFiles | undefined, name: ModelFile): Promise<Uint8Array> {
  if (files === undefined) {
    return packagedBytes(() => packagedModelFile(name), name, OWNER, 'loadEmbedded(files)');
  }
  const file = isUrl(files) ? new URL(name, files) : files[name];
  return isUrl(file) ? readBytes(file, name, OWNER) : file;
}

async function readJson(files: URL | EmbeddedFiles | undefined, name: ModelFile): Promise<unknown> {
  const text = new TextDecoder().decode(await readFile(files, name));
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidValueError(OWNER, name, 'JSON', text);
  }
}
