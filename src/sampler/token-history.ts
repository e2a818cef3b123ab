/**
 * The ids of one request: the prompt and what was generated, with counts that are kept as they grow, so that a token
 * costs O(1) here and the penalties cost the number of distinct ids.
 */
import type { History } from '../../processors/contract.js';
import { InvalidValueError } from '../errors.js';
import { checkId, checkName, readIds } from '../inputs.js';

export class TokenHistory implements History {
  readonly #prompt: readonly number[];
  readonly #output: number[] = [];
  /** Prompt and output: it grows beside them, so that they need not be joined at each token. */
  readonly #sequence: number[];
  readonly #seen: number[] = [];
  readonly #generated: number[] = [];
  readonly #known = new Set<number>();
  readonly #counts = new Map<number, number>();
  /** How many of #seen are of the prompt. */
  readonly #promptSeen: number;
  #largest = -1;

  /**
   * @param prompt the prompt's ids
   * @param output ids generated so far
   * @param owner who to name when an id is refused
   */
  constructor(prompt: ArrayLike<number> = [], output: ArrayLike<number> = [], owner = 'TokenHistory') {
    checkName('TokenHistory', 'owner', owner);
    this.#prompt = readIds(owner, 'prompt', prompt, Infinity, 'an array of token ids');
    const generated = readIds(owner, 'history', output, Infinity, 'an array of token ids');
    this.#sequence = this.#prompt.slice();
    for (const id of this.#prompt) this.#see(id);
    this.#promptSeen = this.#seen.length;
    for (const id of generated) this.#append(id);
  }

  get prompt(): readonly number[] {
    return this.#prompt;
  }

  get output(): readonly number[] {
    return this.#output;
  }

  get sequence(): readonly number[] {
    return this.#sequence;
  }

  get seen(): readonly number[] {
    return this.#seen;
  }

  get generated(): readonly number[] {
    return this.#generated;
  }

  outputCount(id: number): number {
    return this.#counts.get(id) ?? 0;
  }

  /** Appends a generated id, an integer >= 0. */
  accept(id: number): void {
    this.#append(checkId('TokenHistory', 'id', id));
  }

  #append(id: number): void {
    const count = this.outputCount(id);
    this.#output.push(id);
    this.#sequence.push(id);
    this.#counts.set(id, count + 1);
    if (count === 0) this.#generated.push(id);
    this.#see(id);
  }

  /** Forgets all but the first `length` generated ids, an integer in [0, output.length]: as if they had never come. */
  truncate(length: number): void {
    if (!(Number.isInteger(length) && length >= 0 && length <= this.#output.length)) {
      throw new InvalidValueError('TokenHistory', 'length', `an integer in [0, ${this.#output.length}]`, length);
    }
    while (this.#output.length > length) this.#forgetLast();
  }

  /** Refuses, naming `owner` and where the id stands, a history with an id outside [0, vocabSize). */
  checkWithin(vocabSize: number, owner: string): void {
    checkName('TokenHistory', 'owner', owner);
    if (!(Number.isSafeInteger(vocabSize) && vocabSize >= 0)) {
      throw new InvalidValueError('TokenHistory', 'vocabSize', 'an integer >= 0', vocabSize);
    }
    if (this.#largest < vocabSize) return;
    refuseOutside(this.#prompt, 'prompt', vocabSize, owner);
    refuseOutside(this.#output, 'history', vocabSize, owner);
  }

  #forgetLast(): void {
    const id = this.#output.pop() as number;
    this.#sequence.pop();
    const count = this.outputCount(id) - 1;
    if (count > 0) {
      this.#counts.set(id, count);
      return;
    }
    this.#counts.delete(id);
    this.#generated.pop(); // its first occurrence was the last one of all
    if (this.#seen.length === this.#promptSeen || this.#seen.at(-1) !== id) return; // it is in the prompt
    this.#seen.pop();
    this.#known.delete(id);
    if (id === this.#largest) this.#largest = this.#seen.reduce((a, b) => Math.max(a, b), -1);
  }

  #see(id: number): void {
    if (this.#known.has(id)) return;
    this.#known.add(id);
    this.#seen.push(id);
    if (id > this.#largest) this.#largest = id;
  }
}

function refuseOutside(ids: readonly number[], name: string, vocabSize: number, owner: string): void {
  const i = ids.findIndex((id) => id >= vocabSize);
  if (i >= 0) throw new InvalidValueError(owner, `${name}[${i}]`, `an integer in [0, ${vocabSize})`, ids[i]);
}
