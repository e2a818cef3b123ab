/**
 * What Lockstep needs of a model: logits for the next token, one sequence at a time.
 *
 * An engine with a KV cache implements a session on its cache: `append` computes the new positions only, `truncate`
 * forgets the last ones. Every call may be asynchronous.
 */

/** A value, or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

export interface LanguageModel {
  /**
   * Who the model is: equal for equal weights and another string for others, such as a name with a version, or a hash. A
   * saved generation carries it, and is refused by a model with another one; a model without it is told by its sizes only.
   */
  readonly id?: string | undefined;
  /** V: the length of every logits vector. */
  readonly vocabSize: number;
  /** The most positions that a session holds. */
  readonly contextLength: number;
  /** The token that every training row began with, where the model was trained with one. */
  readonly beginId?: number | undefined;
  /** Tokens that end a text. */
  readonly endIds: readonly number[];
  /**
   * Whether calls of several sessions may be under way at the same time, as in an engine that makes batches of them or waits
   * for a server: texts side by side, and beams, then ask all their sessions at once and go on when the last has answered. By
   * default they are asked in turn: an engine with one graph or one queue need not guard it. Calls of one session never
   * overlap, and its logits stay valid while other sessions compute.
   */
  readonly sessionsRunAtOnce?: boolean | undefined;
  /**
   * Whether equal ids give the same bits of logits, in whatever portions, batches and forks they come. Most engines use other
   * kernels for one row than for many, and do not. `modelLaws` demands it where it is said. Default false.
   */
  readonly exact?: boolean | undefined;
  /** Starts an empty sequence. Sessions do not disturb one another. */
  open(): Awaitable<ModelSession>;
}

/** One sequence and its cache. */
export interface ModelSession {
  /** Positions computed so far, in [0, contextLength]. */
  readonly length: number;
  /**
   * Appends `ids`, at least one, and gives the logits after the last of them: f32[V], valid until the next call.
   * Throws when the sequence would grow beyond the context or an id is outside [0, V).
   */
  append(ids: readonly number[], signal?: AbortSignal): Awaitable<Float32Array>;
  /**
   * As `append`, with the logits after each of `ids`: f32[V] each, valid until the next call. For a verifier of drafts; a
   * session without it is asked one id at a time.
   */
  appendEach?(ids: readonly number[], signal?: AbortSignal): Awaitable<readonly Float32Array[]>;
  /** Forgets all but the first `length` positions. */
  truncate(length: number): Awaitable<void>;
  /**
   * Another session with the same positions, which then goes its own way; for beams. A session without it is followed by
   * appending the ids to another one.
   */
  fork?(): Awaitable<ModelSession>;
  /** Frees the cache. */
  close?(): Awaitable<void>;
}
