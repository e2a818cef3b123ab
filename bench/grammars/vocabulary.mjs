/**
 * The 128,256 tokens of Llama 3, from the npm package that `bench/peers` pins.
 */
const FILE = '../peers/node_modules/llama3-tokenizer-js/bundle/llama3-tokenizer-with-baked-data.js';
const SIZE = 128_256;
/** From here on there are special tokens, without text. */
const FIRST_SPECIAL = 128_000;
/** `<|end_of_text|>`. */
export const END = 128_001;

/** `{ tokenizer, endIds, bytes }`. */
export async function loadVocabulary() {
  const { default: llama } = await import(new URL(FILE, import.meta.url).href).catch(() => {
    throw new Error('bench/peers is not installed: npm ci --prefix bench/peers');
  });
  const byCharacter = byteAlphabet();
  const bytes = Array.from({ length: SIZE }, (_, id) => {
    const text = id < FIRST_SPECIAL ? (llama.vocabById[id] ?? '') : '';
    return Uint8Array.from([...text], (character) => byCharacter.get(character));
  });
  const encode = (text) => llama.encode(text, { bos: false, eos: false });
  return { tokenizer: { vocabSize: SIZE, encode, tokenBytes: (id) => bytes[id] }, endIds: [END], bytes };
}

/** The characters that byte-level BPE writes bytes with: the printable ones themselves, the others from U+0100 on. */
export function byteAlphabet() {
  const isPrintable = (byte) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  let others = 0x100;
  return new Map(
    Array.from({ length: 256 }, (_, byte) => [String.fromCharCode(isPrintable(byte) ? byte : others++), byte]),
  );
}
