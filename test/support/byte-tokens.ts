/**
 * A vocabulary of all single bytes and an end token, and texts fed to a constraint byte by byte.
 */
import type { GrammarConstraint } from '../../src/grammar/index.js';
import type { Tokenizer } from '../../src/index.js';

export const END = 256;

export const BYTE_TOKENIZER: Tokenizer = {
  vocabSize: 257,
  encode: (text) => [...new TextEncoder().encode(text)],
  tokenBytes: (id) => (id === END ? new Uint8Array() : Uint8Array.of(id)),
};

/** The ids that may come next, ascending. */
export function allowed(constraint: GrammarConstraint): number[] {
  const words = constraint.mask();
  return Array.from({ length: 32 * words.length }, (_, id) => id).filter(
    (id) => ((words[id >> 5] as number) >>> (id & 31)) & 1,
  );
}

/** How a constraint takes the bytes: `no` where one is not allowed, else whether the text may end there. */
export function verdict(constraint: GrammarConstraint, bytes: Iterable<number>): 'no' | 'part' | 'whole' {
  for (const byte of bytes) {
    if (!allowed(constraint).includes(byte)) return 'no';
    constraint.advance(byte);
  }
  return constraint.isComplete() ? 'whole' : 'part';
}

export function accepts(constraint: GrammarConstraint, text: string): boolean {
  constraint.restore([]);
  return verdict(constraint, new TextEncoder().encode(text)) === 'whole';
}
