/**
 * Where the end of a text occurred before: an index that grows with the text, at a cost for each id that does not depend on
 * how many came before.
 *
 * It is a trie of the text read backwards from each place. A node is an n-gram; one that occurred once is not taken apart
 * before it occurs again, so that there are about two nodes for each id, however long the longest n-gram.
 */

/** An earlier place, the index after an occurrence, and how many ids before it equal the last ones. */
export interface Occurrence {
  readonly end: number;
  readonly length: number;
}

export class Occurrences {
  readonly #ids: readonly number[];
  readonly #longest: number;
  readonly #vocabSize: number;
  /** The node of each n-gram that has one, by that of its last n - 1 ids and the id before them. */
  readonly #children = new Map<number, number>();
  /** By node: its latest place, and whether it was taken apart. Node 0 is the empty n-gram. */
  readonly #latest = [0];
  readonly #isApart = [true];
  /** How many ids have entered, each of which has another one behind it. */
  #entered = 0;

  /**
   * @param ids the text, of ids in [0, vocabSize); the caller appends to it
   * @param longest the longest n-gram to look for
   */
  constructor(ids: readonly number[], longest: number, vocabSize: number) {
    this.#ids = ids;
    this.#longest = longest;
    this.#vocabSize = vocabSize;
  }

  /** Of all earlier places the one where most ids equal the last ones, of equal ones the latest; undefined for none. */
  find(): Occurrence | undefined {
    while (this.#entered < this.#ids.length - 1) this.#enter(++this.#entered);
    const { length } = this.#ids;
    let [node, depth] = [0, 0];
    for (; depth < this.#longest && depth < length && this.#isApart[node]; depth++) {
      const child = this.#child(node, length, depth);
      if (child === undefined) break;
      node = child;
    }
    if (depth === 0) return undefined;
    const end = this.#latest[node] as number;
    return { end, length: this.#isApart[node] ? depth : this.#matched(end, depth) };
  }

  /** Enters the n-grams that end before the place `end`. */
  #enter(end: number): void {
    let node = 0;
    for (let depth = 0; depth < this.#longest; depth++) {
      if (!this.#isApart[node]) this.#takeApart(node, depth);
      this.#latest[node] = end;
      if (depth === end) return; // the text begins here
      const child = this.#child(node, end, depth);
      if (child === undefined) {
        this.#add(node, end, depth);
        return;
      }
      node = child;
    }
    this.#latest[node] = end;
  }

  /** Gives `node`, which occurred once and now does again, its first child. */
  #takeApart(node: number, depth: number): void {
    const end = this.#latest[node] as number;
    this.#isApart[node] = true;
    if (depth < end) this.#add(node, end, depth);
  }

  #add(node: number, end: number, depth: number): void {
    this.#children.set(this.#key(node, end, depth), this.#latest.length);
    this.#latest.push(end);
    this.#isApart.push(false);
  }

  #child(node: number, end: number, depth: number): number | undefined {
    return this.#children.get(this.#key(node, end, depth));
  }

  /** Of the n-gram of `node`, `depth` ids before `end`, and the id before them. */
  #key(node: number, end: number, depth: number): number {
    return node * this.#vocabSize + (this.#ids[end - 1 - depth] as number);
  }

  /** How many ids before `end` equal the last ones, of which `from` are known to. */
  #matched(end: number, from: number): number {
    const ids = this.#ids;
    let n = from;
    while (n < this.#longest && n < end && ids[end - 1 - n] === ids[ids.length - 1 - n]) n++;
    return n;
  }
}
