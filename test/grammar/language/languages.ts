/**
 * The texts of grammars, through the engine over single bytes: a text is one of them when every byte of it is allowed and
 * it may end there.
 */
import { createEngine } from '../../../src/grammar/engine/engine.js';
import { Grammar } from '../../../src/grammar/grammar.js';
import type { GrammarConstraint } from '../../../src/grammar/index.js';
import type { PreparedGrammar } from '../../../src/grammar/language/source.js';
import type { InvalidValueError } from '../../../src/index.js';
import { BYTE_TOKENIZER, END } from '../../support/byte-tokens.js';

const engine = await createEngine({ tokenizer: BYTE_TOKENIZER, endIds: [END] });

export class Language {
  readonly #constraint: GrammarConstraint;

  constructor(source: PreparedGrammar) {
    this.#constraint = new Grammar(engine, source).constraint();
  }

  has(text: string): boolean {
    const constraint = this.#constraint;
    constraint.restore([]);
    for (const byte of new TextEncoder().encode(text)) {
      if (!isAllowed(constraint.mask(), byte)) return false;
      constraint.advance(byte);
    }
    return constraint.isComplete();
  }

  /** Those of `texts` that it has not. */
  lacking(texts: readonly string[]): string[] {
    return texts.filter((text) => !this.has(text));
  }

  /** Those of `texts` that it has. */
  having(texts: readonly string[]): string[] {
    return texts.filter((text) => this.has(text));
  }

  /** A text of it: at each place `choose` takes one of the bytes, or ends it with undefined. */
  walk(choose: (bytes: readonly number[], mayEnd: boolean) => number | undefined): Uint8Array {
    const constraint = this.#constraint;
    constraint.restore([]);
    const text: number[] = [];
    for (;;) {
      const words = constraint.mask();
      const bytes = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => isAllowed(words, byte));
      const byte = choose(bytes, constraint.isComplete());
      if (byte === undefined) return Uint8Array.from(text);
      constraint.advance(byte);
      text.push(byte);
    }
  }

  dispose(): void {
    this.#constraint.dispose();
  }
}

function isAllowed(words: Int32Array, id: number): boolean {
  return (((words[id >> 5] as number) >>> (id & 31)) & 1) === 1;
}

/** What `act` throws. */
export function thrownBy(act: () => unknown): InvalidValueError {
  try {
    act();
  } catch (error) {
    return error as InvalidValueError;
  }
  throw new Error('nothing was thrown');
}
