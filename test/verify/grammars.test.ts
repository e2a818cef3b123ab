/**
 * The group `grammars`: its masks are right, it needs its engine, and where that cannot run it is skipped with a reason.
 */
import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createGrammars, type Grammars } from '../../src/grammar/index.js';
import { exactNumerics } from '../../src/numerics/index.js';
import { GRAMMAR_CASES } from '../../src/verify/grammar-cases.js';
import { VerifyTokenizer } from '../../src/verify/grammar-vocabulary.js';
import { verifyGrammars } from '../../src/verify/grammars.js';
import { type VerifyOptions, verify } from '../../src/verify/index.js';
import { allowed, BYTE_TOKENIZER, END } from '../support/byte-tokens.js';
import { FIXTURES } from './fixture-reader.js';

const ENGINE = new URL('../../src/grammar/engine/engine.wasm', import.meta.url);
const ONLY: VerifyOptions = { groups: ['grammars'], numerics: [exactNumerics] };

describe('the vocabulary of the group', () => {
  const tokenizer = new VerifyTokenizer();

  it('has each sequence of bytes once, and two ids without any', () => {
    const tokens = Array.from({ length: tokenizer.vocabSize }, (_, id) => tokenizer.tokenBytes(id).join(' '));
    expect(tokens.filter((token, i) => tokens.indexOf(token) !== i)).toEqual(['']);
    expect(tokens.slice(-2)).toEqual(['', '']);
    expect(tokenizer.vocabSize % 32).not.toBe(0);
  });

  it('cuts a text into its longest tokens, which are the text together', () => {
    const text = '{"name":"é日本🕊️"}';
    const ids = tokenizer.encode(text);
    expect(ids.length).toBeLessThan(new TextEncoder().encode(text).length / 2);
    const bytes = ids.flatMap((id) => [...tokenizer.tokenBytes(id)]);
    expect(new TextDecoder().decode(Uint8Array.from(bytes))).toBe(text);
  });
});

describe('the masks of the group', () => {
  const tokenizer = new VerifyTokenizer();
  let whole: Grammars;
  let bytes: Grammars;
  beforeAll(async () => {
    [whole, bytes] = await Promise.all([
      verifyGrammars(undefined),
      createGrammars({ tokenizer: BYTE_TOKENIZER, endIds: [END] }),
    ]);
  });

  it.each(GRAMMAR_CASES)('of $name are what the bytes of each token allow one by one', ({ compile, texts }) => {
    for (const text of texts) {
      const [constraint, byByte] = [compile(whole).constraint(), compile(bytes).constraint()];
      const ids = tokenizer.encode(text);
      let prefix: number[] = [];
      for (const id of [...ids, tokenizer.endId]) {
        const expected = Array.from({ length: tokenizer.endId }, (_, other) => other).filter((other) => {
          const token = [...tokenizer.tokenBytes(other)];
          return token.length > 0 && takes(byByte, prefix, token);
        });
        if (byByte.isComplete()) expected.push(tokenizer.endId);
        expect(allowed(constraint), `${text} after ${prefix.length} bytes`).toEqual(expected);
        constraint.advance(id);
        prefix = [...prefix, ...tokenizer.tokenBytes(id)];
        if (id !== tokenizer.endId) byByte.restore(prefix);
      }
      expect(constraint.done).toBe(true);
    }
  });

  /** Whether `token` may come after `prefix`, where the constraint stands before and afterwards. */
  function takes(
    constraint: ReturnType<ReturnType<Grammars['regex']>['constraint']>,
    prefix: number[],
    token: number[],
  ) {
    const first = token[0] as number;
    if ((((constraint.mask()[first >> 5] ?? 0) >>> (first & 31)) & 1) === 0) return false;
    try {
      for (const byte of token) constraint.advance(byte);
      return true;
    } catch {
      return false;
    } finally {
      constraint.restore(prefix);
    }
  }
});

describe('the group grammars', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('is the same with the engine given as bytes, a URL or a module, beside fixtures from elsewhere', async () => {
    const bytes = readFileSync(ENGINE);
    const digests = new Set<unknown>();
    for (const grammarEngine of [undefined, bytes, ENGINE, new WebAssembly.Module(bytes)]) {
      const report = await verify({ ...ONLY, files: FIXTURES, ...(grammarEngine && { grammarEngine }) });
      expect(report).toMatchObject({ ok: true, skipped: 0 });
      digests.add(JSON.stringify(report.groups));
    }
    expect(digests.size).toBe(1);
  });

  it('refuses what is no engine', async () => {
    const module = new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
    await expect(verify({ ...ONLY, grammarEngine: module })).rejects.toThrow(
      /^createGrammars: `module` must be the engine of this version/,
    );
    await expect(verify({ ...ONLY, grammarEngine: 'engine.wasm' as never })).rejects.toThrow(
      'verify: `grammarEngine` must be engine.wasm: a WebAssembly.Module, its bytes, a Response or a URL, got "engine.wasm"',
    );
  });

  it.each([
    ['absent', undefined, /^there is no WebAssembly here$/],
    [
      'forbidden',
      runInContext('WebAssembly', createContext({}, { codeGeneration: { wasm: false } })),
      /^no WebAssembly may be compiled here: CompileError: /,
    ],
  ])('is skipped, counted and with the reason, where WebAssembly is %s', async (_, engines, reason) => {
    vi.stubGlobal('WebAssembly', engines);
    const seen: unknown[] = [];
    const report = await verify({ ...ONLY, groups: ['grammars', 'pcg32'], onGroup: (group) => seen.push(group) });
    expect(report).toMatchObject({ ok: true, skipped: 1 });
    expect(report.groups).toEqual(seen);
    expect(report.groups[0]).toEqual({ name: 'grammars', ok: null, skipped: expect.stringMatching(reason) });
    expect(report.groups[1]).toMatchObject({ name: 'pcg32', ok: true });
  });
});
