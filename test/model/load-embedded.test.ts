import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvalidValueError } from '../../src/errors.js';
import { loadEmbedded } from '../../src/model/load-embedded.js';
import { expectSameBits } from '../oracle/bits.js';
import { fixtureBytes, MODEL_FOLDER } from './fixture-files.js';

const FILES = ['config.json', 'tokenizer.json', 'weights.safetensors'];

/** The error of a load that must fail. */
async function refusal(base: URL): Promise<InvalidValueError> {
  const error: unknown = await loadEmbedded(base).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(InvalidValueError);
  return error as InvalidValueError;
}

describe('loadEmbedded', () => {
  it("loads the package's own model by default", async () => {
    const { model, tokenizer } = await loadEmbedded();
    expect(model.vocabSize).toBe(tokenizer.vocabSize);
    const logits = model.open().append([model.beginId as number, ...tokenizer.encode('In the beginning')]);
    expect(logits).toHaveLength(model.vocabSize);
    expect(logits.every(Number.isFinite)).toBe(true);
  });
});

describe('loadEmbedded, from a folder', () => {
  let folder: string;
  let base: URL;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lockstep model '));
    base = pathToFileURL(`${folder}/`);
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function fill(changed: string, content: string | Uint8Array | undefined): Promise<void> {
    for (const name of FILES) await cp(new URL(name, MODEL_FOLDER), new URL(name, base));
    if (content === undefined) await rm(new URL(changed, base));
    else await writeFile(new URL(changed, base), content);
  }

  it.each(FILES)('says that %s is not there', async (name) => {
    await fill(name, undefined);
    const error = await refusal(base);
    expect(error.message).toContain(`loadEmbedded: \`${name}\` must be readable at ${base.href}${name}, got "ENOENT`);
    expect(error.cause).toMatchObject({ code: 'ENOENT' });
  });

  it.each<[string, string | Uint8Array, string]>([
    ['config.json', '{ "n_ctx": ', 'loadEmbedded: `config.json` must be JSON, got "{ \\"n_ctx\\": "'],
    ['tokenizer.json', '', 'loadEmbedded: `tokenizer.json` must be JSON, got ""'],
    ['config.json', '{}', 'EmbeddedModel: `model_type` must be "llama", got undefined'],
    ['tokenizer.json', '{}', 'EmbeddedTokenizer: `added_tokens` must be an array, got undefined'],
    [
      'weights.safetensors',
      new Uint8Array(3),
      'Safetensors: `weights.safetensors` must be a safetensors file, of at least 8 bytes, got 3',
    ],
  ])('names what is wrong in %s: case %#', async (name, content, message) => {
    await fill(name, content);
    expect((await refusal(base)).message).toBe(message);
  });

  it('says that the tokenizer is not the one of the model', async () => {
    const json = JSON.parse(new TextDecoder().decode(fixtureBytes('tokenizer.json')));
    json.added_tokens.push({ id: 1536, content: '<|more|>', special: true });
    await fill('tokenizer.json', JSON.stringify(json));
    expect((await refusal(base)).message).toBe(
      "loadEmbedded: `tokenizer.json` must be a tokenizer of 1536 tokens, like the model's config.json, got 1537",
    );
  });
});

describe('loadEmbedded, over HTTP', () => {
  let server: Server;
  let base: URL;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const name = FILES.find((file) => request.url === `/model/${file}`);
      response.writeHead(name === undefined ? 404 : 200).end(name === undefined ? 'nothing here' : fixtureBytes(name));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/model/`);
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('loads the model that the files of the package are', async () => {
    const [served, own] = [await loadEmbedded(base), await loadEmbedded()];
    expect(served.tokenizer.encode('And God said')).toEqual(own.tokenizer.encode('And God said'));
    expectSameBits(served.model.open().append([0, 5]), own.model.open().append([0, 5]));
  });

  it('says with which status a file was refused', async () => {
    const error = await refusal(new URL('/elsewhere/', base));
    expect(error.message).toMatch(
      /^loadEmbedded: `\S+` must be readable at http:\/\/127\.0\.0\.1:\d+\/elsewhere\/\S+, got "HTTP status 404"$/,
    );
  });
});
