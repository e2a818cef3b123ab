import type { LanguageModel, ModelSession, Tokenizer } from '../../src/index.js';

/** A model that gives the logits of a script, by how many ids it was given; it records every call. */
export class ScriptedModel implements LanguageModel {
  readonly appended: number[][] = [];
  readonly truncations: number[] = [];
  opened = 0;
  closed = 0;

  constructor(
    readonly vocabSize: number,
    readonly contextLength: number,
    readonly endIds: readonly number[],
    readonly logitsAfter: (ids: readonly number[]) => ArrayLike<number>,
    readonly beginId?: number,
  ) {}

  open(): ModelSession {
    this.opened++;
    const model = this;
    let ids: number[] = [];
    return {
      get length() {
        return ids.length;
      },
      append(more) {
        model.appended.push([...more]);
        ids = [...ids, ...more];
        if (ids.length > model.contextLength) throw new Error('the context overflowed');
        return Float32Array.from(model.logitsAfter(ids));
      },
      truncate(length) {
        model.truncations.push(length);
        ids = ids.slice(0, length);
      },
      close() {
        model.closed++;
      },
    };
  }
}

/** Token i stands for the i-th piece, a text or bytes. */
export class PieceTokenizer implements Tokenizer {
  readonly #pieces: Uint8Array[];

  constructor(pieces: readonly (string | number[])[]) {
    const encoder = new TextEncoder();
    this.#pieces = pieces.map((piece) => (typeof piece === 'string' ? encoder.encode(piece) : Uint8Array.from(piece)));
  }

  get vocabSize(): number {
    return this.#pieces.length;
  }

  encode(text: string): number[] {
    const decoder = new TextDecoder();
    return [...text].map((letter) => this.#pieces.findIndex((piece) => decoder.decode(piece) === letter));
  }

  tokenBytes(id: number): Uint8Array {
    return this.#pieces[id] as Uint8Array;
  }
}

/** A model that says the pieces one after another, whatever was sampled, and the end id after the last. */
export function saying(pieces: readonly (string | number[])[]): { model: ScriptedModel; tokenizer: PieceTokenizer } {
  const end = pieces.length;
  const begin = end + 1;
  const tokenizer = new PieceTokenizer([...pieces, '', '']);
  const oneHot = (id: number) => Array.from({ length: end + 2 }, (_, i) => (i === id ? 0 : -Infinity));
  const model = new ScriptedModel(end + 2, 1000, [end], (ids) => oneHot(Math.min(ids.length - 1, end)), begin);
  return { model, tokenizer };
}
