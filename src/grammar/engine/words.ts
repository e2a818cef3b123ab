/**
 * Words of 32 bits in WebAssembly's memory, which is little-endian on every machine.
 */
const IS_LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/** Fills `target` with the words that begin at `at`, a multiple of 4. */
export function readWords(memory: ArrayBuffer, at: number, target: Int32Array, isNative = IS_LITTLE_ENDIAN): void {
  if (isNative) {
    target.set(new Int32Array(memory, at, target.length));
    return;
  }
  const view = new DataView(memory, at, 4 * target.length);
  for (let i = 0; i < target.length; i++) target[i] = view.getInt32(4 * i, true);
}

/** `words`, integers in [0, 2^32), as WebAssembly has them. */
export function bytesOfWords(words: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * words.length));
  for (const [i, word] of words.entries()) view.setUint32(4 * i, word, true);
  return new Uint8Array(view.buffer);
}
