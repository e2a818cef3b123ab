/**
 * An n-gram table: the id that most often followed the last ids, counted in a corpus.
 */
import type { Ids } from '../../../processors/plain-ids.js';
import { InvalidValueError } from '../../errors.js';
import { isList, readable, readIds } from '../../inputs.js';
import { isIterable } from '../../kinds.js';

export class NgramTable {
  /** n: at most n - 1 ids decide on the next one. */
  readonly order: number;
  /** By context, its ids joined: the id that followed it most often; of equally frequent ones the lowest. */
  readonly #next: ReadonlyMap<string, number>;

  /**
   * Counts every n-gram of 2 to `order` ids.
   * @param corpus texts as ids; no n-gram crosses from one to the next
   * @param order an integer >= 2
   */
  constructor(corpus: Iterable<Ids>, order = 4) {
    if (!isIterable(corpus)) throw new InvalidValueError('NgramTable', 'corpus', 'texts to iterate over', corpus);
    if (!(Number.isSafeInteger(order) && order >= 2)) {
      throw new InvalidValueError('NgramTable', 'order', 'an integer >= 2', order);
    }
    this.order = order;
    const counts = new Map<string, Map<number, number>>();
    countAll(corpus, order, counts);
    this.#next = new Map(Array.from(counts, ([key, followers]) => [key, mostFrequent(followers)]));
  }

  /** How many contexts it knows. */
  get size(): number {
    return this.#next.size;
  }

  /** What followed the longest end of `ids` that the corpus has, most often; undefined where it has none. */
  next(ids: Ids): number | undefined {
    if (!isList(ids)) throw new InvalidValueError('NgramTable', 'ids', 'an array of ids', ids);
    const tail = tailOf(ids, this.order - 1);
    for (let n = tail.length; n >= 1; n--) {
      const id = this.#next.get(tail.slice(tail.length - n).join());
      if (id !== undefined) return id;
    }
    return undefined;
  }
}

/** The last `most` of `ids`, or all; the others are not looked at. */
function tailOf(ids: Ids, most: number): number[] {
  const length = readable('NgramTable', 'ids', ids, () => ids.length);
  const from = Math.max(0, length - most);
  const tail = readable('NgramTable', 'ids', ids, () => Array.prototype.slice.call(ids, from, length));
  return readIds('NgramTable', 'ids', tail);
}

function countAll(corpus: Iterable<Ids>, order: number, counts: Map<string, Map<number, number>>): void {
  readable('NgramTable', 'corpus', corpus, () => {
    let i = 0;
    for (const text of corpus) {
      const ids = readIds('NgramTable', `corpus[${i++}]`, text, Infinity, 'a text as an array of ids');
      count(ids, order, counts);
    }
  });
}

function count(text: readonly number[], order: number, counts: Map<string, Map<number, number>>): void {
  for (const [i, id] of text.entries()) {
    for (let n = 1; n < order && n <= i; n++) {
      const key = text.slice(i - n, i).join();
      const followers = counts.get(key) ?? new Map<number, number>();
      followers.set(id, (followers.get(id) ?? 0) + 1);
      counts.set(key, followers);
    }
  }
}

function mostFrequent(followers: ReadonlyMap<number, number>): number {
  let best = -1;
  let most = 0;
  for (const [id, times] of followers) {
    if (times > most || (times === most && id < best)) [best, most] = [id, times];
  }
  return best;
}
