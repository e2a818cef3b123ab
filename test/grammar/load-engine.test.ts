/**
 * Loading the engine: the package's own file, and what a caller has.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createGrammars, type GrammarsOptions } from '../../src/grammar/index.js';
import { allowed, BYTE_TOKENIZER, END } from './byte-tokens.js';

const BYTES = readFileSync(new URL('../../src/grammar/engine/engine.wasm', import.meta.url));
/** A module that exports nothing. */
const EMPTY = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

const create = (options: Partial<GrammarsOptions>) =>
  createGrammars({ tokenizer: BYTE_TOKENIZER, endIds: [END], ...options });

describe('the engine', () => {
  it.each([
    ['the file of the package', {}],
    ['bytes', { module: BYTES }],
    ['an ArrayBuffer', { module: new Uint8Array(BYTES).buffer }],
    ['a compiled module', { module: new WebAssembly.Module(BYTES) }],
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
  const module = 'the engine of this version, engine.wasm, as a WebAssembly.Module or its bytes';
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
    ['module', { module: null as unknown as WebAssembly.Module }, module],
  ])('refuses wrong options: %s', async (parameter, options, domain) => {
    await expect(create(options)).rejects.toMatchObject({ owner: 'createGrammars', parameter, domain });
  });

  it('takes a token of 1,024 bytes, and one with a byte that no text has, which it never allows', async () => {
    const words = [new Uint8Array(1024).fill(97), Uint8Array.of(97, 0xff), Uint8Array.of(97), new Uint8Array()];
    const tokenizer = { vocabSize: 4, encode: () => [], tokenBytes: (id: number) => words[id] as Uint8Array };
    const grammars = await createGrammars({ tokenizer, endIds: [3] });
    expect(allowed(grammars.lark('start: /a+/').constraint())).toEqual([0, 2]);
  });
});

function tooLong() {
  const tokenBytes = (id: number) => new Uint8Array(id === 97 ? 1025 : 1).fill(97);
  return { ...BYTE_TOKENIZER, tokenBytes };
}
