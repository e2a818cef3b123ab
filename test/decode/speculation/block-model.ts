import { StrictModel } from '../../support/strict-model.js';

/** A model whose sessions give the logits after each id, asynchronously; it records every call. */
export class BlockModel extends StrictModel {
  constructor(
    logitsAfter: (ids: readonly number[]) => ArrayLike<number>,
    options: {
      readonly beginId?: number;
      readonly contextLength?: number;
      readonly endIds?: readonly number[];
    } = {},
  ) {
    const vocabSize = logitsAfter([0]).length;
    super({ vocabSize, contextLength: 100, logitsAfter, givesEach: true, wait: () => Promise.resolve(), ...options });
  }
}
