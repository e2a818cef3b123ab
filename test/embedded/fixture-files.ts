/**
 * The files of fixtures/model.
 */
import { readFileSync } from 'node:fs';
import { Safetensors } from '../../src/embedded/safetensors.js';

export const MODEL_FOLDER = new URL('../../fixtures/model/', import.meta.url);

export function fixtureBytes(name: string): Uint8Array {
  return readFileSync(new URL(name, MODEL_FOLDER));
}

export function fixtureJson(name: string): unknown {
  return JSON.parse(new TextDecoder().decode(fixtureBytes(name)));
}

/** One prompt of torch_logits.safetensors: the logits that PyTorch gave after some of its positions. */
export interface TorchCase {
  readonly name: string;
  readonly ids: readonly number[];
  /** The logits by position, f32[V]. */
  readonly logits: ReadonlyMap<number, Float32Array>;
}

export function torchCases(): TorchCase[] {
  const file = new Safetensors(fixtureBytes('torch_logits.safetensors'), 'torch_logits.safetensors');
  return ['held-out text', 'a short prompt', 'random ids'].map((name, n) => {
    const rows = file.floats(`logits.${n}`);
    const positions = [...file.integers(`positions.${n}`)];
    const V = rows.length / positions.length;
    const logits = new Map(positions.map((position, row) => [position, rows.slice(row * V, (row + 1) * V)]));
    return { name, ids: [...file.integers(`ids.${n}`)], logits };
  });
}
