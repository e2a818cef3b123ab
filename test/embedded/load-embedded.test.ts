import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type EmbeddedFiles, loadEmbedded } from '../../src/embedded/load-embedded.js';
import { InvalidValueError } from '../../src/errors.js';
import { packagedBytes } from '../../src/files/packaged-bytes.js';
import { expectSameBits } from '../support/bits.js';
import { fixtureBytes, MODEL_FOLDER } from './fixture-files.js';

const FILES = ['config.json', 'tokenizer.json', 'weights.safetensors'];

/** The error of a load that must fail. */
async function refusal(base: URL | EmbeddedFiles): Promise<InvalidValueError> {
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

describe('loadEmbedded, in a bundle (B1)', () => {
  const url = (name: string) => new URL(name, MODEL_FOLDER);
  const files = {
    'config.json': fixtureBytes('config.json'),
    'tokenizer.json': url('tokenizer.json'),
    'weights.safetensors': fixtureBytes('weights.safetensors'),
  };

  it('takes the files as URLs and as bytes', async () => {
    const [given, own] = [await loadEmbedded(files), await loadEmbedded()];
    expect(given.tokenizer.encode('And God said')).toEqual(own.tokenizer.encode('And God said'));
    expectSameBits(given.model.open().append([0, 5]), own.model.open().append([0, 5]));
  });

  it.each<[string, unknown, string]>([
    ['a path', '/model/', '`files` must be a URL, or an object with config.json, tokenizer.json, weights.safetensors'],
    ['one file of another name', { ...files, 'weights.bin': url('x') }, '`files` must be a URL, or an object with'],
    ['a file missing', { ...files, 'config.json': undefined }, "`files['config.json']` must be a URL or a Uint8Array"],
    ['a file by its path', { ...files, 'config.json': 'a' }, "`files['config.json']` must be a URL or a Uint8Array"],
  ])('refuses %s', async (_, wrong, says) => {
    expect((await refusal(wrong as EmbeddedFiles)).message).toContain(`loadEmbedded: ${says}`);
  });

  it('says how to hand the files over where the bundler left them behind', async () => {
    const read = (locate: () => URL) =>
      packagedBytes(locate, 'config.json', 'loadEmbedded', 'loadEmbedded(files)').catch((error) => error.message);
    const hint = "(a bundle that does not take the package's files along hands them over: loadEmbedded(files))";
    const absent = url('absent.json');
    expect(await read(() => absent)).toContain(
      `loadEmbedded: \`config.json\` must be readable at ${absent.href} ${hint}, got "ENOENT`,
    );
    expect(await read(() => new URL('../x', undefined))).toContain(
      `loadEmbedded: \`config.json\` must be beside the package ${hint}, got "Invalid URL"`,
    );
  });
});

describe('a file that a bundler wrote into the code', () => {
  afterEach(() => vi.unstubAllGlobals());
  const read = (url: string) => packagedBytes(() => new URL(url), 'config.json', 'loadEmbedded', 'loadEmbedded(files)');

  it.each([
    ['in base64', 'data:application/json;base64,eyJhIjoiw6kifQ=='],
    ['in base64 with percent signs', 'data:application/json;charset=utf-8;base64,eyJhIjoiw6kifQ%3D%3D'],
    ['as it stands', 'data:application/json,%7B%22a%22%3A%22%C3%A9%22%7D'],
    ['without a type', 'data:,%7B"a":"é"}'],
  ])('is not fetched, which a content security policy forbids: %s', async (_, url) => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    expect([...(await read(url))]).toEqual([...new TextEncoder().encode('{"a":"é"}')]);
  });

  it('is refused where its URL is none', async () => {
    await expect(read('data:application/json')).rejects.toThrow(
      'loadEmbedded: `config.json` must be readable at data:application/json (a bundle',
    );
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
      if (request.url?.startsWith('/app/')) {
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<!doctype html>');
        return;
      }
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

  it('does not take the page that a server gives for every path for a file (B1)', async () => {
    const error = await refusal(new URL('/app/', base));
    expect(error.message).toMatch(/` must be readable at http:\S+, got "an HTML page, which servers send for what/);
  });

  it('says with which status a file was refused', async () => {
    const error = await refusal(new URL('/elsewhere/', base));
    expect(error.message).toMatch(
      /^loadEmbedded: `\S+` must be readable at http:\/\/127\.0\.0\.1:\d+\/elsewhere\/\S+, got "HTTP status 404"$/,
    );
  });
});
