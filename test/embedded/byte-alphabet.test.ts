import { describe, expect, it } from 'vitest';
import { BYTE_CHARACTERS, byteOf } from '../../src/embedded/byte-alphabet.js';

describe('the byte alphabet', () => {
  it.each([
    [0x00, 'Ā', 'the first of the moved ones'],
    [0x0a, 'Ċ', 'a line feed'],
    [0x20, 'Ġ', 'a space'],
    [0x21, '!', 'the first that is itself'],
    [0x41, 'A', 'a letter'],
    [0x7e, '~', 'the last of ASCII that is itself'],
    [0x7f, 'ġ', 'delete'],
    [0xa0, 'ł', 'a no-break space'],
    [0xa1, '¡', 'the next that is itself'],
    [0xac, '¬', 'the one before the soft hyphen'],
    [0xad, 'Ń', 'the soft hyphen, the last of the moved ones'],
    [0xae, '®', 'the one after it'],
    [0xff, 'ÿ', 'the last'],
  ])('writes byte %i as %s: %s', (byte, character) => {
    expect(BYTE_CHARACTERS[byte]).toBe(character);
    expect(byteOf(character)).toBe(byte);
  });

  it('writes each byte as a character of its own', () => {
    expect(BYTE_CHARACTERS).toHaveLength(256);
    expect(new Set(BYTE_CHARACTERS).size).toBe(256);
    expect(BYTE_CHARACTERS.map(byteOf)).toEqual([...BYTE_CHARACTERS.keys()]);
  });

  it.each([' ', '\n', 'ń', '日', '', 'ab'])('has no byte for %j', (character) => {
    expect(byteOf(character)).toBeUndefined();
  });
});
