import type { LanguageModel, ModelSession } from '../../../src/index.js';

/** What a session of the model was asked, in order. */
export type Call =
  | readonly ['append' | 'appendEach', ...(readonly number[])]
  | readonly ['truncate', number]
  | readonly ['close'];

/** A model whose sessions give the logits after each id; it records every call. */
export class BlockModel implements LanguageModel {
  readonly calls: Call[] = [];
  readonly vocabSize: number;

  constructor(
    readonly logitsAfter: (ids: readonly number[]) => ArrayLike<number>,
    readonly options: {
      readonly beginId?: number;
      readonly contextLength?: number;
      readonly endIds?: readonly number[];
    } = {},
  ) {
    this.vocabSize = logitsAfter([0]).length;
  }

  get beginId(): number | undefined {
    return this.options.beginId;
  }

  get contextLength(): number {
    return this.options.contextLength ?? 100;
  }

  get endIds(): readonly number[] {
    return this.options.endIds ?? [];
  }

  open(): ModelSession {
    const model = this;
    const ids: number[] = [];
    const take = (id: number) => {
      ids.push(id);
      if (ids.length > model.contextLength) throw new Error('the context overflowed');
      return Float32Array.from(model.logitsAfter(ids));
    };
    return {
      get length() {
        return ids.length;
      },
      append(more) {
        model.calls.push(['append', ...more]);
        return more.map(take).at(-1) as Float32Array;
      },
      async appendEach(more) {
        model.calls.push(['appendEach', ...more]);
        return more.map(take);
      },
      async truncate(length) {
        model.calls.push(['truncate', length]);
        ids.length = length;
      },
      async close() {
        model.calls.push(['close']);
      },
    };
  }
}
