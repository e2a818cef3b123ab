/**
 * Drafts from an n-gram table: the id that most often came next in a corpus, and again from there.
 *
 * Deterministic: q is one-hot and nothing is drawn. The draft ends where the table knows no more.
 */
import type { Drafter, DraftRequest, DraftSession, DraftToken } from './draft.js';
import type { NgramTable } from './ngram-table.js';

export class NgramTableDrafter implements Drafter {
  readonly #table: NgramTable;

  /** @param table of ids of the target's vocabulary */
  constructor(table: NgramTable) {
    this.#table = table;
  }

  open({ prompt }: DraftRequest): DraftSession {
    const ids = [...prompt];
    return {
      propose: (count) => this.#propose(ids, count),
      accept: (accepted) => void ids.push(...accepted),
    };
  }

  #propose(ids: readonly number[], count: number): DraftToken[] {
    const end = ids.slice(Math.max(0, ids.length - this.#table.order + 1));
    const draft: DraftToken[] = [];
    while (draft.length < count) {
      const id = this.#table.next(end);
      if (id === undefined) break;
      draft.push({ id });
      end.push(id);
    }
    return draft;
  }
}
