/**
 * Models for beam searches: logits that look random and are the same for the same ids.
 */
import { log } from '../../../src/numerics/index.js';
import { Pcg32 } from '../../../src/random/index.js';
import { ScriptedModel } from '../../support/scripted-model.js';
import { StrictModel } from '../../support/strict-model.js';

/** Logits in [-spread, spread), from a generator seeded with the ids. */
export function noiseAfter(vocabSize: number, spread: number, seed: number): (ids: readonly number[]) => number[] {
  return (ids) => {
    const generator = new Pcg32(ids.reduce((sum, id) => (sum * 31 + id + 1) % 1_000_003, seed));
    return Array.from({ length: vocabSize }, () => (2 * generator.uniform() - 1) * spread);
  };
}

/** A model of such logits. */
export function noiseModel(vocabSize: number, endIds: readonly number[], seed: number, spread = 3): ScriptedModel {
  return new ScriptedModel(vocabSize, 64, endIds, noiseAfter(vocabSize, spread, seed));
}

/** A model that says probabilities. */
export function saysProbabilities(
  after: (ids: readonly number[]) => readonly number[],
  endIds: readonly number[],
): ScriptedModel {
  const vocabSize = after([]).length;
  return new ScriptedModel(vocabSize, 64, endIds, (ids) => after(ids.slice(1)).map((p) => log(p)));
}

/** The same model with sessions that can be copied; it counts the copies. */
export class ForkingModel extends StrictModel {
  constructor(inner: ScriptedModel) {
    const { vocabSize, contextLength, endIds } = inner;
    super({ vocabSize, contextLength, endIds, logitsAfter: (ids) => inner.logitsAfter(ids), forks: true });
  }
}
