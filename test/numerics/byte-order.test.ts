/**
 * The byte order of the processor shows in no result: numbers from bytes name their order, and views of other widths over one
 * buffer are few and looked at one by one (M1).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { fromWords, HIGH, highWord, LOW, lowWord } from '../../src/numerics/bits.js';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));
const SOURCES = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, code: readFileSync(SRC + name, 'utf8') }));

/** Where typed arrays of several bytes lie over a buffer that is there already, and why that is right in both orders. */
const VIEWS: Record<string, string> = {
  'numerics/bits.ts': 'finds out the order: HIGH and LOW',
  'ranking/logit-sorter.ts': 'uses HIGH and LOW',
  'numerics/plain-kernel.ts': 'as wide as what lies below',
  'verify/model.ts': 'as wide as what lies below',
  'numerics/wasm-memory.ts': 'used only where the known answers come out',
};

describe('the byte order of the processor', () => {
  it('is not relied on by any DataView', () => {
    const calls = SOURCES.flatMap(({ name, code }) =>
      [...code.matchAll(/\.[gs]et(?:Float|Uint|Int|BigUint|BigInt)(?:16|32|64)\(([^()]|\([^()]*\))*\)/g)].map(
        ([call]) => `${name}: ${call}`,
      ),
    );
    expect(calls.length).toBeGreaterThan(5);
    expect(calls.filter((call) => !/, (true|false|isLittle)\)$/.test(call))).toEqual([]);
  });

  it('is looked at wherever numbers lie over a buffer', () => {
    const view = /new (?:Float|Uint|Int|BigUint|BigInt)(?:16|32|64)Array\([\w#.]*buffer\b/;
    const found = SOURCES.filter(({ code }) => view.test(code)).map(({ name }) => name);
    expect(found.sort()).toEqual(Object.keys(VIEWS).sort());
  });

  it('is that of the halves of a float64', () => {
    expect([HIGH + LOW, highWord(-1), lowWord(-1), highWord(1 + 2 ** -52), lowWord(1 + 2 ** -52)]).toEqual([
      1, 0xbff00000, 0, 0x3ff00000, 1,
    ]);
    expect(fromWords(0x40091eb8, 0x51eb851f)).toBe(3.14);
  });
});
