import type { EmbeddedModel } from '../../../src/embedded/index.js';
import { StrictModel } from '../../support/strict-model.js';

/** The same logits as a model gives, each computed once: for tests that ask the same things again and again. */
export class RememberedModel extends StrictModel {
  constructor(model: EmbeddedModel) {
    const { vocabSize, contextLength, beginId, endIds } = model;
    super({ vocabSize, contextLength, beginId, endIds, givesEach: true, logitsAfter: remembering(model) });
  }
}

function remembering(model: EmbeddedModel): (ids: readonly number[]) => Float32Array {
  const known = new Map<string, Float32Array>();
  const session = model.open();
  let at: readonly number[] = [];
  const compute = (ids: readonly number[]): Float32Array => {
    let same = 0;
    while (same < ids.length - 1 && ids[same] === at[same]) same++;
    session.truncate(Math.min(same, session.length));
    at = [...ids];
    return session.append(ids.slice(same)).slice();
  };
  return (ids) => {
    const key = ids.join();
    const logits = known.get(key) ?? compute(ids);
    known.set(key, logits);
    return logits;
  };
}
