/**
 * Finds a sequence of ids in a stream of them, one at a time: also where its beginnings overlap, as of 1 1 2 in 1 1 1 2.
 * Source: Knuth, Morris and Pratt 1977.
 */
export class IdMatcher {
  readonly #ids: readonly number[];
  /** Entry n: the length of the longest beginning of the sequence, shorter than n, that its first n ids end with. */
  readonly #borders: readonly number[];

  /** @param ids the sequence, at least one id */
  constructor(ids: readonly number[]) {
    this.#ids = ids;
    this.#borders = bordersOf(ids);
  }

  get length(): number {
    return this.#ids.length;
  }

  /** How many ids of the sequence the stream ends with, of which it ended with `matched` before `id` came; below the length. */
  advance(matched: number, id: number): number {
    return next(this.#ids, this.#borders, matched, id);
  }
}

function next(ids: readonly number[], borders: readonly number[], matched: number, id: number): number {
  let n = matched;
  while (n > 0 && ids[n] !== id) n = borders[n] as number;
  return ids[n] === id ? n + 1 : 0;
}

function bordersOf(ids: readonly number[]): number[] {
  const borders = [0, 0];
  for (let n = 1; n < ids.length; n++) borders.push(next(ids, borders, borders[n] as number, ids[n] as number));
  return borders;
}
