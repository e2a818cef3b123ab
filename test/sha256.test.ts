import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../src/sha256.js';

describe('sha256', () => {
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
    ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
  ])('gives what the standard gives as an example: %.20s', (text, digest) => {
    expect(sha256(text)).toBe(digest);
  });

  it('is that of the platform, at every length up to three blocks', () => {
    const bytes = Uint8Array.from({ length: 192 }, (_, i) => i * 37);
    for (let length = 0; length <= bytes.length; length++) {
      const part = bytes.subarray(0, length);
      expect(sha256(part)).toBe(createHash('sha256').update(part).digest('hex'));
    }
  });

  it('is that of the parts one after the other, however they are cut, texts in UTF-8', () => {
    const part = fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.string({ unit: 'grapheme', maxLength: 40 }));
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const hash = createHash('sha256');
        for (const one of parts) hash.update(one);
        expect(sha256(...parts)).toBe(hash.digest('hex'));
      }),
    );
  });

  it('reads a view from where it begins', () => {
    const bytes = new Uint8Array(300).fill(7, 100);
    expect(sha256(bytes.subarray(100, 200))).toBe(sha256(new Uint8Array(100).fill(7)));
  });
});
