/**
 * A model that says what it is told to, and a tokenizer with the pieces of a case.
 */
import type { LanguageModel, Tokenizer } from '../../src/index.js';
import { StrictModel } from '../support/strict-model.js';
import type { TextInput } from './case-file.js';

/** The bytes of each id and the ids in the order in which they are generated; the last id of the vocabulary ends. */
export interface Script {
  readonly bytes: readonly Uint8Array[];
  readonly ids: readonly number[];
  readonly endId: number;
}

export function scriptOf({ pieces, vocabulary, ids }: TextInput): Script {
  if (pieces !== undefined) {
    return { bytes: [...pieces.map(toBytes), new Uint8Array()], ids: [...pieces.keys()], endId: pieces.length };
  }
  const texts = vocabulary ?? {};
  const endId = Math.max(...Object.keys(texts).map(Number)) + 1;
  return { bytes: Array.from({ length: endId + 1 }, (_, id) => toBytes(texts[id] ?? '')), ids: ids ?? [], endId };
}

/** Greedy, it generates the ids of the script one after another and then the end id, for ever. */
export function scriptedModel({ bytes, ids, endId }: Script): LanguageModel {
  return modelOf(bytes.length, endId, (position) => {
    const logits = new Float32Array(bytes.length);
    logits[ids[position] ?? endId] = 10;
    return logits;
  });
}

/** A model with the logits of each generated position, after a prompt of one id. */
export function modelOf(vocabSize: number, endId: number, logitsAt: (position: number) => Float32Array): LanguageModel {
  const logitsAfter = (ids: readonly number[]) => logitsAt(ids.length - 1);
  return new StrictModel({ vocabSize, contextLength: 64, endIds: [endId], logitsAfter });
}

export function scriptedTokenizer({ bytes }: Script): Tokenizer {
  return {
    vocabSize: bytes.length,
    encode: () => [0],
    tokenBytes: (id) => bytes[id] as Uint8Array,
  };
}

function toBytes(piece: string | readonly number[]): Uint8Array {
  return typeof piece === 'string' ? new TextEncoder().encode(piece) : Uint8Array.from(piece);
}
