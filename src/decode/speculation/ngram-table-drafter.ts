/**
 * Drafts from an n-gram table: the id that most often came next in a corpus, and again from there.
 *
 * Deterministic: q is one-hot and nothing is drawn. The draft ends where the table knows no more.
 */
import { InvalidValueError } from '../../errors.js';
import { isInstance } from '../../kinds.js';
import { checkDraftRequest, type Drafter, type DraftRequest, type DraftSession, type DraftToken } from './draft.js';
import { NgramTable } from './ngram-table.js';

export class NgramTableDrafter implements Drafter {
  readonly #table: NgramTable;

  /** @param table of ids of the target's vocabulary */
  constructor(table: NgramTable) {
    if (!isInstance(table, NgramTable))
      throw new InvalidValueError('NgramTableDrafter', 'table', 'an NgramTable', table);
    this.#table = table;
  }

  open(request: DraftRequest): DraftSession {
    const { prompt } = checkDraftRequest('NgramTableDrafter', request);
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
