/**
 * An n-gram table: the id that most often followed the last ids, counted in a corpus.
 */
import { type Ids, plainIds } from '../../../processors/plain-ids.js';
import { InvalidValueError } from '../../errors.js';

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
    if (!(Number.isInteger(order) && order >= 2)) {
      throw new InvalidValueError('NgramTable', 'order', 'an integer >= 2', order);
    }
    this.order = order;
    const counts = new Map<string, Map<number, number>>();
    for (const [i, text] of [...corpus].entries()) count(checkText(plainIds(text), `corpus[${i}]`), order, counts);
    this.#next = new Map(Array.from(counts, ([key, followers]) => [key, mostFrequent(followers)]));
  }

  /** How many contexts it knows. */
  get size(): number {
    return this.#next.size;
  }

  /** What followed the longest end of `ids` that the corpus has, most often; undefined where it has none. */
  next(ids: Ids): number | undefined {
    for (let n = Math.min(this.order - 1, ids.length); n >= 1; n--) {
      const id = this.#next.get(Array.prototype.slice.call(ids, ids.length - n).join());
      if (id !== undefined) return id;
    }
    return undefined;
  }
}

function checkText(text: unknown, name: string): readonly number[] {
  if (!Array.isArray(text)) throw new InvalidValueError('NgramTable', name, 'a text as an array of ids', text);
  const wrong = text.findIndex((id) => !(Number.isSafeInteger(id) && id >= 0));
  if (wrong >= 0) throw new InvalidValueError('NgramTable', `${name}[${wrong}]`, 'an integer >= 0', text[wrong]);
  return text;
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
