/**
 * A session whose answers are checked as they come: what an engine gets wrong is said at once and by name, instead of
 * becoming a text without words, or none that ends. The checks of a token are of lengths only.
 */
import { InvalidValueError } from '../errors.js';
import { afterwards } from './afterwards.js';
import type { Awaitable, ModelSession } from './language-model.js';

const OWNER = 'ModelSession';

/** `given` as a session that is checked. One that is refused is closed here, as no caller gets it. */
export function checkedSession(given: ModelSession, vocabSize: number, length: number): CheckedSession {
  try {
    return new CheckedSession(given, vocabSize, length);
  } catch (refusal) {
    void discard(given);
    throw refusal;
  }
}

/** Closes what may be no session; what it fails with is not what is to be told. */
async function discard(given: ModelSession): Promise<void> {
  try {
    await given?.close?.();
  } catch {}
}

export class CheckedSession implements ModelSession {
  readonly #given: ModelSession;
  readonly #vocabSize: number;
  readonly appendEach?: NonNullable<ModelSession['appendEach']>;
  readonly fork?: NonNullable<ModelSession['fork']>;

  /**
   * Throws InvalidValueError for what is no session, or has another length.
   * @param given what an engine opened
   * @param vocabSize V, the length of every logits vector
   * @param length how many positions it has
   */
  constructor(given: ModelSession, vocabSize: number, length: number) {
    checkMethods(given);
    this.#given = given;
    this.#vocabSize = vocabSize;
    this.#checkLength(length, length === 0 ? 'when opened' : 'after `fork`');
    if (given.appendEach !== undefined) this.appendEach = (ids, signal) => this.#appendEach(ids, signal);
    if (given.fork !== undefined) this.fork = () => this.#fork();
  }

  get length(): number {
    const { length } = this.#given;
    if (Number.isSafeInteger(length) && length >= 0) return length;
    throw new InvalidValueError(OWNER, 'length', 'an integer >= 0', length);
  }

  append(ids: readonly number[], signal?: AbortSignal): Awaitable<Float32Array> {
    const length = this.length + ids.length;
    return afterwards(this.#given.append(ids, signal), (logits) => {
      this.#checkLogits(logits, 'append()');
      this.#checkLength(length, 'after `append`');
      return logits;
    });
  }

  truncate(length: number): Awaitable<void> {
    return afterwards(this.#given.truncate(length), () => this.#checkLength(length, 'after `truncate`'));
  }

  close(): Awaitable<void> {
    return this.#given.close?.();
  }

  #appendEach(ids: readonly number[], signal: AbortSignal | undefined): Awaitable<readonly Float32Array[]> {
    const length = this.length + ids.length;
    const { appendEach } = this.#given as Required<ModelSession>;
    return afterwards(appendEach.call(this.#given, ids, signal), (rows) => {
      this.#checkRows(rows, ids.length);
      this.#checkLength(length, 'after `appendEach`');
      return rows;
    });
  }

  #fork(): Awaitable<CheckedSession> {
    const { length } = this;
    const { fork } = this.#given as Required<ModelSession>;
    return afterwards(fork.call(this.#given), (copy) => checkedSession(copy, this.#vocabSize, length));
  }

  #checkRows(rows: readonly Float32Array[], count: number): void {
    if (!Array.isArray(rows))
      throw new InvalidValueError(OWNER, 'appendEach()', 'an array with logits for each id', rows);
    if (rows.length !== count) {
      throw new InvalidValueError(OWNER, 'appendEach().length', `${count}, one row for each id`, rows.length);
    }
    for (let i = 0; i < count; i++) this.#checkLogits(rows[i], `appendEach()[${i}]`);
  }

  #checkLogits(logits: unknown, name: string): void {
    if (!isFloat32Array(logits)) throw new InvalidValueError(OWNER, name, 'a Float32Array of logits', logits);
    if (logits.length === this.#vocabSize) return;
    throw new InvalidValueError(OWNER, `${name}.length`, `${this.#vocabSize}, the model's vocabSize`, logits.length);
  }

  #checkLength(length: number, when: string): void {
    const found: unknown = this.#given.length;
    if (found !== length) throw new InvalidValueError(OWNER, 'length', `${length} ${when}`, found);
  }
}

function checkMethods(session: ModelSession): void {
  const isObject = typeof session === 'object' && session !== null;
  if (!isObject) throw new InvalidValueError('LanguageModel', 'open()', 'a session', session);
  for (const name of ['append', 'truncate'] as const) {
    if (typeof session[name] !== 'function') throw new InvalidValueError(OWNER, name, 'a function', session[name]);
  }
  for (const name of ['appendEach', 'fork', 'close'] as const) {
    const method = session[name];
    if (method === undefined || typeof method === 'function') continue;
    throw new InvalidValueError(OWNER, name, 'a function or absent', method);
  }
}

/** Whatever realm it is of. */
function isFloat32Array(value: unknown): value is Float32Array {
  return (
    ArrayBuffer.isView(value) && (value as { [Symbol.toStringTag]?: unknown })[Symbol.toStringTag] === 'Float32Array'
  );
}
