/**
 * The files that verify reads: what the results must be, and what they are computed from.
 */
import { InvalidValueError } from '../errors.js';
import { fromSource } from '../files/from-source.js';
import { packagedBytes } from '../files/packaged-bytes.js';
import { readBytes } from '../files/read-bytes.js';
import { isUint8Array } from '../kinds.js';
import type { ExpLogDigests } from './exp-log.js';
import type { GoldenCase } from './golden.js';
import type { GrammarDigests } from './grammars.js';
import type { ModelDigests, ModelFiles } from './model.js';
import type { Pcg32Digests } from './pcg32.js';
import type { RequestDigests } from './requests.js';

const OWNER = 'verify';

/** Gives the bytes of a file in `fixtures/`, by its path there. */
export type ReadFixture = (path: string) => Promise<Uint8Array>;

/** fixtures/verify/digests.json. */
export interface Digests {
  readonly 'exp-log': ExpLogDigests;
  readonly pcg32: Pcg32Digests;
  readonly requests: RequestDigests;
  readonly model: ModelDigests;
  readonly grammars: GrammarDigests;
}

/** Reads from the folder at `base`, a URL that ends with a slash; by default the package's own files. */
export function readFrom(base?: URL): ReadFixture {
  if (base !== undefined) return (path) => readBytes(new URL(path, base), path, OWNER);
  return (path) => packagedBytes(() => packagedFixture(path), path, OWNER, 'verify({ files })');
}

export async function readDigests(read: ReadFixture): Promise<Digests> {
  return (await readJson(read, 'verify/digests.json')) as Digests;
}

export async function readGolden(read: ReadFixture): Promise<readonly GoldenCase[]> {
  return ((await readJson(read, 'sampler_golden.json')) as { cases: GoldenCase[] }).cases;
}

export async function readModel(read: ReadFixture): Promise<ModelFiles> {
  const [config, tokenizer, weights] = await Promise.all([
    readJson(read, 'model/config.json'),
    readJson(read, 'model/tokenizer.json'),
    read('model/weights.safetensors'),
  ]);
  return { config, tokenizer, weights };
}

async function readJson(read: ReadFixture, path: string): Promise<unknown> {
  const bytes: unknown = await read(path);
  if (!isUint8Array(bytes)) throw new InvalidValueError(OWNER, path, 'read as a Uint8Array', bytes);
  const text = new TextDecoder().decode(bytes);
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidValueError(OWNER, path, 'JSON', text);
  }
}

/**
 * Right for what is built (`dist/src/verify`). Two files are written out in full for bundlers; those of the model are not, as
 * only `lockstep/embedded` brings them into a bundle.
 */
function packagedFixture(path: string): URL {
  const { url } = import.meta;
  const source = fromSource(url, `../../fixtures/${path}`);
  if (source !== undefined) return source;
  if (path === 'verify/digests.json') return new URL('../../../fixtures/verify/digests.json', import.meta.url);
  if (path === 'sampler_golden.json') return new URL('../../../fixtures/sampler_golden.json', import.meta.url);
  return new URL(`../../../fixtures/${path}`, url);
}
