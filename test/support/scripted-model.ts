import type { Tokenizer } from '../../src/index.js';
import { StrictModel, type StrictModelParts } from './strict-model.js';

/** A model that gives the logits of a script, by the ids that it was given; it records every call. */
export class ScriptedModel extends StrictModel {
  constructor(
    vocabSize: number,
    contextLength: number,
    endIds: readonly number[],
    logitsAfter: StrictModelParts['logitsAfter'],
    beginId?: number,
    more: Partial<StrictModelParts> = {},
  ) {
    super({ vocabSize, contextLength, endIds, logitsAfter, beginId, ...more });
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
