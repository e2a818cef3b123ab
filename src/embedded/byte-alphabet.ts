/**
 * The alphabet in which byte-level BPE writes bytes: one printable character a byte.
 *
 * A byte that Latin-1 prints without blanks (33-126, 161-172, 174-255) is that character; the other 68 are, in ascending
 * order, the characters from U+0100 on. So a space is U+0120.
 * Source: Radford et al. 2019 (GPT-2).
 */

/** The characters of the bytes 0..255, in that order. */
export const BYTE_CHARACTERS: readonly string[] = fill();

const BYTES = new Map(BYTE_CHARACTERS.map((character, byte) => [character, byte]));

/** The byte that `character` stands for, or undefined for one outside the alphabet. */
export function byteOf(character: string): number | undefined {
  return BYTES.get(character);
}

function fill(): string[] {
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(isPrintable(byte) ? byte : next++));
}

function isPrintable(byte: number): boolean {
  return (byte >= 33 && byte <= 126) || (byte >= 161 && byte !== 173);
}
