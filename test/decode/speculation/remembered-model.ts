import type { EmbeddedModel, LanguageModel, ModelSession } from '../../../src/index.js';

/** The same logits as a model gives, each computed once: for tests that ask the same things again and again. */
export class RememberedModel implements LanguageModel {
  readonly #known = new Map<string, Float32Array>();
  readonly #session: ReturnType<EmbeddedModel['open']>;
  #at: readonly number[] = [];

  constructor(readonly model: EmbeddedModel) {
    this.#session = model.open();
  }

  get vocabSize(): number {
    return this.model.vocabSize;
  }

  get contextLength(): number {
    return this.model.contextLength;
  }

  get beginId(): number | undefined {
    return this.model.beginId;
  }

  get endIds(): readonly number[] {
    return this.model.endIds;
  }

  open(): ModelSession {
    const ids: number[] = [];
    const take = (id: number): Float32Array => {
      ids.push(id);
      return this.#logitsAfter(ids);
    };
    return {
      get length() {
        return ids.length;
      },
      append: (more) => {
        ids.push(...more);
        return this.#logitsAfter(ids);
      },
      appendEach: (more) => more.map(take),
      truncate: (length) => {
        ids.length = length;
      },
    };
  }

  #logitsAfter(ids: readonly number[]): Float32Array {
    const key = ids.join();
    const logits = this.#known.get(key) ?? this.#compute(ids);
    this.#known.set(key, logits);
    return logits;
  }

  #compute(ids: readonly number[]): Float32Array {
    let same = 0;
    while (same < ids.length - 1 && ids[same] === this.#at[same]) same++;
    this.#session.truncate(same);
    this.#at = [...ids];
    return this.#session.append(ids.slice(same)).slice();
  }
}
