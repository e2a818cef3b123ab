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

/** Writes `words`, integers in [0, 2^32), from `at` on. */
export function writeWords(memory: ArrayBuffer, at: number, words: ArrayLike<number>): void {
  const view = new DataView(memory, at, 4 * words.length);
  for (let i = 0; i < words.length; i++) view.setUint32(4 * i, words[i] as number, true);
}
