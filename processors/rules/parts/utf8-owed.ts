/**
 * How many bytes of UTF-8 a text lacks for its last character to be whole.
 */

/** The bytes owed behind `bytes`, of a text that owed `owed` before; what is no UTF-8 owes nothing. In [0, 3]. */
export function owedAfter(bytes: Uint8Array, owed: number): number {
  let left = owed;
  for (const byte of bytes) left = isContinuation(byte) ? Math.max(left - 1, 0) : owedByLead(byte);
  return bytes.length === 0 ? 0 : left;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function owedByLead(byte: number): number {
  if (byte >= 0xf0 && byte < 0xf8) return 3;
  if (byte >= 0xe0 && byte < 0xf0) return 2;
  return byte >= 0xc0 && byte < 0xe0 ? 1 : 0;
}
