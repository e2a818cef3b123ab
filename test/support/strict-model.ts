/**
 * The model behind all scripted models of the tests. Its sessions are as strict as those of a real engine: they refuse what
 * the embedded session refuses, and what an engine that computes in the background cannot take.
 */
import type { Awaitable, ModelSession } from '../../src/decode/index.js';
import type { LanguageModel } from '../../src/index.js';

/** What a session was asked and did, in order over all sessions of a model. */
export type Call =
  | readonly ['append' | 'appendEach', ...(readonly number[])]
  | readonly ['truncate', number]
  | readonly ['fork']
  | readonly ['close'];

export interface StrictModelParts {
  readonly vocabSize: number;
  readonly contextLength: number;
  readonly endIds?: readonly number[];
  readonly beginId?: number | undefined;
  /** The logits after all of `ids`, the begin token included, of which the first `first` came with the session's first call. */
  readonly logitsAfter: (ids: readonly number[], first: number) => ArrayLike<number>;
  /** Whether sessions have `appendEach`, and whether they have `fork`. */
  readonly givesEach?: boolean;
  readonly forks?: boolean;
  /** Waited for in each call, which then gives a promise. */
  readonly wait?: ((signal?: AbortSignal) => Promise<void>) | undefined;
  /** Throws where a call is to fail; a session that fails to close is closed. */
  readonly fail?: ((call: Call) => void) | undefined;
  /** Whether calls of two sessions may be under way at the same time. */
  readonly sessionsRunAtOnce?: boolean | undefined;
}

export class StrictModel implements LanguageModel {
  readonly vocabSize: number;
  readonly contextLength: number;
  readonly endIds: readonly number[];
  readonly beginId: number | undefined;
  readonly sessionsRunAtOnce: boolean | undefined;
  readonly calls: Call[] = [];
  /** Sessions that were opened, those that are copies included, and those of them that were closed. */
  opened = 0;
  closed = 0;
  /** Copies. */
  forks = 0;
  /** The most calls that were under way at the same time. */
  most = 0;
  /** What was refused, as no engine would take it. */
  readonly refused: string[] = [];
  readonly #parts: StrictModelParts;
  #underWay = 0;

  constructor(parts: StrictModelParts) {
    this.#parts = parts;
    this.vocabSize = parts.vocabSize;
    this.contextLength = parts.contextLength;
    this.endIds = parts.endIds ?? [];
    this.beginId = parts.beginId;
    this.sessionsRunAtOnce = parts.sessionsRunAtOnce;
  }

  /** The ids of each `append`. */
  get appended(): number[][] {
    return this.calls.flatMap(([name, ...ids]) => (name === 'append' ? [ids] : []));
  }

  /** The length of each `truncate`. */
  get truncations(): number[] {
    return this.calls.flatMap(([name, length]) => (name === 'truncate' ? [length as number] : []));
  }

  logitsAfter(ids: readonly number[]): ArrayLike<number> {
    return this.#parts.logitsAfter(ids, ids.length);
  }

  open(): Awaitable<ModelSession> {
    return this.run(undefined, () => this.session([]));
  }

  /** A session that holds `ids`. */
  protected session(ids: readonly number[]): ModelSession {
    this.opened++;
    return new StrictSession(this, this.#parts, ids);
  }

  /** `work`, at once or after the wait; refused where another call is under way and the model does not say that it may. */
  run<T>(signal: AbortSignal | undefined, work: () => T): Awaitable<T> {
    const { wait, sessionsRunAtOnce } = this.#parts;
    if (this.#underWay > 0 && sessionsRunAtOnce !== true) this.refuse('a call while another one is under way');
    if (wait === undefined) return work();
    this.most = Math.max(this.most, ++this.#underWay);
    return wait(signal)
      .then(work)
      .finally(() => this.#underWay--);
  }

  /** @internal Refuses a call, and remembers it: whoever leaves may not tell. */
  refuse(what: string): never {
    this.refused.push(what);
    throw new Error(`StrictModel: ${what}`);
  }

  /** @internal A copy of a session that holds `ids`. */
  copy(ids: readonly number[]): ModelSession {
    this.forks++;
    return this.session(ids);
  }
}

class StrictSession implements ModelSession {
  readonly appendEach?: NonNullable<ModelSession['appendEach']>;
  readonly fork?: NonNullable<ModelSession['fork']>;
  readonly #model: StrictModel;
  readonly #parts: StrictModelParts;
  readonly #ids: number[];
  #first = 0;
  /** Valid until the next call. */
  #rows: Float32Array[] = [];
  #isBusy = false;
  #isClosed = false;

  constructor(model: StrictModel, parts: StrictModelParts, ids: readonly number[]) {
    this.#model = model;
    this.#parts = parts;
    this.#ids = [...ids];
    if (parts.givesEach) this.appendEach = (more, signal) => this.#append('appendEach', more, signal);
    if (parts.forks) this.fork = () => this.#call(['fork'], undefined, () => model.copy(this.#ids));
  }

  get length(): number {
    return this.#ids.length;
  }

  append(ids: readonly number[], signal?: AbortSignal): Awaitable<Float32Array> {
    const rows = this.#append('append', ids, signal);
    return rows instanceof Promise ? rows.then(last) : last(rows);
  }

  truncate(length: number): Awaitable<void> {
    const isWithin = Number.isInteger(length) && length >= 0 && length <= this.#ids.length;
    if (!isWithin) this.#model.refuse(`truncate to ${length} of ${this.#ids.length}`);
    return this.#call(['truncate', length], undefined, () => {
      this.#ids.length = length;
    });
  }

  close(): Awaitable<void> {
    return this.#call(['close'], undefined, () => {
      this.#isClosed = true;
      this.#model.closed++;
    });
  }

  #append(name: 'append' | 'appendEach', ids: readonly number[], signal?: AbortSignal): Awaitable<Float32Array[]> {
    signal?.throwIfAborted();
    this.#check(ids);
    if (this.#first === 0) this.#first = ids.length;
    return this.#call([name, ...ids], signal, () => {
      this.#rows = name === 'append' ? [this.#after(ids)] : ids.map((id) => this.#after([id]));
      return this.#rows;
    });
  }

  /** Where the logits are an error, nothing was appended. */
  #after(ids: readonly number[]): Float32Array {
    const { length } = this.#ids;
    this.#ids.push(...ids);
    try {
      return Float32Array.from(this.#parts.logitsAfter(this.#ids, this.#first));
    } catch (error) {
      this.#ids.length = length;
      throw error;
    }
  }

  #check(ids: readonly number[]): void {
    const { vocabSize, contextLength } = this.#parts;
    if (!Array.isArray(ids)) this.#model.refuse(`ids that are no array: ${String(ids)}`);
    if (ids.length === 0) this.#model.refuse('append of nothing');
    if (this.#ids.length + ids.length > contextLength)
      this.#model.refuse(`append beyond the context of ${contextLength}`);
    const wrong = ids.find((id) => !(Number.isInteger(id) && id >= 0 && id < vocabSize));
    if (wrong !== undefined) this.#model.refuse(`append of ${wrong}, which is outside [0, ${vocabSize})`);
  }

  #run<T>(call: Call, work: () => T): T {
    const { fail } = this.#parts;
    if (call[0] !== 'close') fail?.(call);
    const result = work();
    if (call[0] === 'close') fail?.(call);
    return result;
  }

  #call<T>(call: Call, signal: AbortSignal | undefined, work: () => T): Awaitable<T> {
    if (this.#isClosed) this.#model.refuse(`${call[0]} after close`);
    if (this.#isBusy) this.#model.refuse(`${call[0]} while the session is at work`);
    this.#isBusy = true;
    for (const row of this.#rows) row.fill(Number.NaN);
    const done = () => {
      this.#isBusy = false;
    };
    try {
      const result = this.#model.run(signal, () => this.#run(call, work));
      this.#model.calls.push(call);
      if (result instanceof Promise) return result.finally(done);
      done();
      return result;
    } catch (error) {
      done();
      throw error;
    }
  }
}

function last(rows: readonly Float32Array[]): Float32Array {
  return rows.at(-1) as Float32Array;
}
