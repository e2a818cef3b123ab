/**
 * One sequence of the embedded model and its cache. Every call is synchronous.
 */
import { InvalidValueError } from '../errors.js';
import { readable, readIds } from '../inputs.js';
import { isArray } from '../kinds.js';
import type { ModelSession } from '../model/language-model.js';
import { isSignal } from '../options/fields.js';
import type { Caches } from './cache-pool.js';
import type { Transformer } from './transformer.js';

const OWNER = 'EmbeddedSession';

export class EmbeddedSession implements ModelSession {
  readonly #transformer: Transformer;
  readonly #contextLength: number;
  readonly #logits: Float32Array;
  #caches: Caches | undefined;
  #length = 0;

  /** @param caches what it writes to, of the transformer's pool */
  constructor(transformer: Transformer, vocabSize: number, contextLength: number, caches = transformer.pool.take()) {
    this.#transformer = transformer;
    this.#contextLength = contextLength;
    this.#logits = new Float32Array(vocabSize);
    this.#caches = caches;
  }

  /** Positions computed so far, in [0, contextLength]. */
  get length(): number {
    return this.#length;
  }

  /**
   * Appends `ids`, at least one, and gives the logits after the last of them: f32[V], this session's own array, which the
   * next call overwrites. A refused call (ids, context, an aborted signal, a closed session) appends nothing.
   */
  append(ids: readonly number[], signal?: AbortSignal): Float32Array {
    const caches = this.#open();
    checkSignal(signal);
    signal?.throwIfAborted();
    this.#check(ids);
    for (const id of ids) this.#transformer.advance(id, this.#length++, caches);
    this.#transformer.logits(this.#logits);
    return this.#logits;
  }

  /** As `append`, with a new array of the logits after each of `ids`. */
  appendEach(ids: readonly number[], signal?: AbortSignal): Float32Array[] {
    const caches = this.#open();
    checkSignal(signal);
    signal?.throwIfAborted();
    this.#check(ids);
    return ids.map((id) => {
      this.#transformer.advance(id, this.#length++, caches);
      const logits = new Float32Array(this.#logits.length);
      this.#transformer.logits(logits);
      return logits;
    });
  }

  /** Forgets all but the first `length` positions, an integer in [0, this.length]. */
  truncate(length: number): void {
    this.#open();
    if (!(Number.isInteger(length) && length >= 0 && length <= this.#length)) {
      throw new InvalidValueError(OWNER, 'length', `an integer in [0, ${this.#length}]`, length);
    }
    this.#length = length;
  }

  /** A session with the same positions, of its own from then on. */
  fork(): EmbeddedSession {
    const caches = this.#open();
    const copies = this.#transformer.pool.copy(caches, this.#length);
    const copy = new EmbeddedSession(this.#transformer, this.#logits.length, this.#contextLength, copies);
    copy.#length = this.#length;
    return copy;
  }

  /** Gives the caches to sessions that are opened later; `append` and `truncate` throw from then on. */
  close(): void {
    if (this.#caches !== undefined) this.#transformer.pool.giveBack(this.#caches);
    this.#caches = undefined;
    this.#length = 0;
  }

  #open(): Caches {
    if (this.#caches === undefined) throw new InvalidValueError(OWNER, 'session', 'open', 'closed');
    return this.#caches;
  }

  #check(ids: readonly number[]): void {
    const isReadable = isArray(ids) && readable(OWNER, 'ids', ids, () => ids.length >= 0);
    if (!isReadable) throw new InvalidValueError(OWNER, 'ids', 'an array of ids', ids);
    const room = this.#contextLength - this.#length;
    if (ids.length === 0) throw new InvalidValueError(OWNER, 'ids.length', 'at least 1', 0);
    if (ids.length > room) {
      const domain = `at most ${room}, what is left of a context of ${this.#contextLength}`;
      throw new InvalidValueError(OWNER, 'ids.length', domain, ids.length);
    }
    readIds(OWNER, 'ids', ids, this.#logits.length);
  }
}

function checkSignal(signal: unknown): void {
  if (signal !== undefined && !isSignal(signal)) throw new InvalidValueError(OWNER, 'signal', 'an AbortSignal', signal);
}
