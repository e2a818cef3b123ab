/**
 * Loading the engine: the package's own file, and what a caller has.
 */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createContext, runInContext, runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createGrammars, type GrammarsOptions } from '../../src/grammar/index.js';
import { allowed, BYTE_TOKENIZER, END } from '../support/byte-tokens.js';

const ENGINE = new URL('../../src/grammar/engine/engine.wasm', import.meta.url);
const BYTES = readFileSync(ENGINE);
/** A module that exports nothing. */
const EMPTY = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

const create = (options: Partial<GrammarsOptions>) =>
  createGrammars({ tokenizer: BYTE_TOKENIZER, endIds: [END], ...options });

describe('the engine', () => {
  it.each([
    ['the file of the package', {}],
    ['bytes', { module: BYTES }],
    ['an ArrayBuffer', { module: new Uint8Array(BYTES).buffer }],
    ['an ArrayBuffer of another realm', { module: elsewhere('new ArrayBuffer(length)', fill) }],
    ['a compiled module', { module: new WebAssembly.Module(BYTES) }],
    ['a module of another realm', { module: elsewhere<WebAssembly.Module>('new WebAssembly.Module(bytes)') }],
    ['a URL', { module: ENGINE }],
    ['a response, of whatever type', { module: new Response(BYTES, { headers: { 'content-type': 'text/plain' } }) }],
  ])('is loaded from %s', async (_, options) => {
    const grammars = await create(options);
    expect(allowed(grammars.lark('start: /[ab]/').constraint())).toEqual([97, 98]);
  });

  it('is loaded for several at once, each with a memory of its own', async () => {
    const [one, other] = await Promise.all([create({}), create({ vocabSize: 300 })]);
    expect([one.lark('start: "a"'), other.lark('start: "a"')].map((g) => g.constraint().mask().length)).toEqual([
      9, 10,
    ]);
  });
});

describe('createGrammars', () => {
  const module = 'the engine of this version, engine.wasm: a WebAssembly.Module, its bytes, a Response or a URL';
  it.each([
    ['endIds', { endIds: [] }, 'a non-empty array of integers in [0, 257)'],
    ['endIds[0]', { endIds: [257] }, 'an integer in [0, 257)'],
    [
      'modul',
      { modul: BYTES } as object,
      'absent (did you mean `module`? the parameters are: tokenizer, endIds, vocabSize, module)',
    ],
    ['endIds', { endIds: 256 as unknown as number[] }, 'a non-empty array of integers in [0, 257)'],
    ['vocabSize', { vocabSize: 256 }, "an integer in [257, 16777214], from the tokenizer's on"],
    ['vocabSize', { vocabSize: 2 ** 24 }, "an integer in [257, 16777214], from the tokenizer's on"],
    ['tokenizer', { tokenizer: {} as typeof BYTE_TOKENIZER }, 'a Tokenizer (with `encode` and `tokenBytes`)'],
    ['tokenizer', { tokenizer: tooLong() }, 'one whose tokens have at most 1024 bytes'],
    ['module', { module: new WebAssembly.Module(EMPTY) }, module],
    ['module', { module: EMPTY }, module],
    ['module', { module: BYTES.subarray(0, 5000) }, module],
    ['module', { module: {} as WebAssembly.Module }, module],
    ['module', { module: { [Symbol.toStringTag]: 'WebAssembly.Module' } as unknown as WebAssembly.Module }, module],
    ['module', { module: { [Symbol.toStringTag]: 'Response' } as unknown as Response }, module],
    ['module', { module: '/assets/engine.wasm' as unknown as URL }, module],
    ['module', { module: new Response('no such file', { status: 404 }) }, module],
    ['module', { module: new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } }) }, module],
    ['module', { module: null as unknown as WebAssembly.Module }, module],
  ])('refuses wrong options: %s', async (parameter, options, domain) => {
    await expect(create(options)).rejects.toMatchObject({ owner: 'createGrammars', parameter, domain });
  });

  it('refuses the engine of another version, such as an old file of a server', async () => {
    const other = Uint8Array.from(BYTES);
    other[BYTES.length - 1] = (BYTES.at(-1) as number) ^ 1;
    await expect(create({ module: other })).rejects.toMatchObject({
      parameter: 'module',
      value: expect.stringMatching(/^a module of version llguidance \S+ \w+, not llguidance \S+ \w+$/),
    });
  });

  it('takes a token of 1,024 bytes, and one with a byte that no text has, which it never allows', async () => {
    const words = [new Uint8Array(1024).fill(97), Uint8Array.of(97, 0xff), Uint8Array.of(97), new Uint8Array()];
    const tokenizer = { vocabSize: 4, encode: () => [], tokenBytes: (id: number) => words[id] as Uint8Array };
    const grammars = await createGrammars({ tokenizer, endIds: [3] });
    expect(allowed(grammars.lark('start: /a+/').constraint())).toEqual([0, 2]);
  });
});

describe('createGrammars, of a server', () => {
  let server: Server;
  let url: (path: string) => URL;
  beforeAll(async () => {
    server = createServer(({ url }, response) => {
      if (url === '/engine.wasm')
        response.end(BYTES); // without a type
      else if (url === '/app/') response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = (path) => new URL(path, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('takes the engine from its URL and from the response, though the server does not know the type', async () => {
    for (const module of [url('engine.wasm'), await fetch(url('engine.wasm'))]) {
      const grammars = await create({ module });
      expect(allowed(grammars.lark('start: "b"').constraint())).toEqual([98]);
    }
  });

  it.each([
    ['absent.wasm', 'HTTP status 404'],
    ['app/', 'an HTML page, which servers send for what they do not have'],
  ])('says what is wrong with %s', async (path, reason) => {
    await expect(create({ module: url(path) })).rejects.toThrow(
      `createGrammars: \`module\` must be readable at ${url(path)}, got "${reason}"`,
    );
  });

  it('says that a response was read already', async () => {
    const module = await fetch(url('engine.wasm'));
    await module.arrayBuffer();
    await expect(create({ module })).rejects.toThrow(/^createGrammars: `module` must be the engine .*, got "Body is/);
  });
});

describe('createGrammars, where no WebAssembly may be compiled', () => {
  afterEach(() => vi.unstubAllGlobals());
  const refused =
    /^createGrammars: `module` must be compiled, which is not allowed here \(.* 'wasm-unsafe-eval'\), got /;

  it.each([
    ['forbidden', runInContext('WebAssembly', createContext({}, { codeGeneration: { wasm: false } }))],
    ['absent', undefined],
  ])('says so: WebAssembly is %s', async (_, engines) => {
    vi.stubGlobal('WebAssembly', engines);
    for (const module of [BYTES, ENGINE, new Response(BYTES)]) {
      await expect(create({ module })).rejects.toThrow(refused);
    }
  });
});

/** A value of another realm, where `bytes` are the engine's. */
function elsewhere<T = ArrayBuffer>(code: string, change: (value: T) => void = () => {}): T {
  const value: T = runInNewContext(code, { bytes: BYTES, length: BYTES.length });
  change(value);
  return value;
}

function fill(buffer: ArrayBuffer): void {
  new Uint8Array(buffer).set(BYTES);
}

function tooLong() {
  const tokenBytes = (id: number) => new Uint8Array(id === 97 ? 1025 : 1).fill(97);
  return { ...BYTE_TOKENIZER, tokenBytes };
}
