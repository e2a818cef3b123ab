/**
 * What a processor is and what it sees. An object needs this file and nothing else of Lockstep; a class with options, processor.ts.
 *
 * Symbols as in the spec: V the vocabulary size, l the float64 logits, K the kept ids, q the softmax over K.
 */
export { InvalidValueError, NothingLeftError } from '../src/errors.js';

/** A value that survives JSON. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/**
 * Where a step belongs. `scores`: it changes what the model says (penalties, biases, masks), and logprobs are taken
 * after it. `policy`: it decides what may be drawn (temperature, filters), and logprobs do not see it.
 */
export type Stage = 'scores' | 'policy';

/** The best of K, in rank order (l descending, id ascending): entry r of each array belongs to the id at rank r. */
export interface RankedCandidates {
  readonly ids: Int32Array;
  /** l, f64. */
  readonly logits: Float64Array;
  /** q, f64: the softmax over all of K. */
  readonly probabilities: Float64Array;
}

/**
 * The candidates of one token: the logits l, the kept ids K, their order and their probabilities.
 *
 * A function that an edit is given (`adjust`, `keep`) may look at the candidates; an edit from within it is refused.
 */
export interface Candidates {
  /** V. */
  readonly vocabSize: number;
  /** |K|, at least 1. An id at -Infinity is not in K. */
  readonly size: number;
  /** Whether `id` is in K. */
  has(id: number): boolean;
  /** l of `id`; -Infinity outside K. */
  logit(id: number): number;
  /** q of `id`; 0 outside K. */
  probability(id: number): number;

  /** The id at `index` of K in ascending id order, index in [0, size). */
  idAt(index: number): number;
  /** l of `idAt(index)`. */
  logitAt(index: number): number;
  /** q of `idAt(index)`: exp(l - max l) / Z, Z the sum over K in ascending id order. */
  probabilityAt(index: number): number;

  /** The id at `rank` in the order (l descending, id ascending), rank in [0, size). Sorts only as far as asked. */
  idAtRank(rank: number): number;
  /** q of `idAtRank(rank)`. */
  probabilityAtRank(rank: number): number;

  /**
   * K in ascending id order, i32[size]: copied out for this call into an array that is lent. `logits`, `probabilities` and
   * `logProbabilities` are the same in what follows, and entry i of each belongs to `ids()[i]`, the id at index i.
   *
   * It costs O(size) whenever it is asked for, so ask once, before a loop. It is of the candidates as they are now: ask anew
   * after an edit. The array is yours to read and to write until the same method is asked again or `process` returns, and
   * nothing that is written to it changes the candidates.
   */
  ids(): Int32Array;
  /** l of K in ascending id order, f64[size]; lent as `ids()`. */
  logits(): Float64Array;
  /** q of K in ascending id order, f64[size]; lent as `ids()`. */
  probabilities(): Float64Array;
  /** ln q of K in ascending id order, f64[size], in nats: (l - max l) - ln Z, finite where q rounds to 0; lent as `ids()`. */
  logProbabilities(): Float64Array;
  /** The first `count` in rank order, count >= 0, with l and q; all where K has no more. Lent as `ids()`. */
  ranked(count: number): RankedCandidates;

  /** The largest l in K. */
  maxLogit(): number;
  /** The largest q. */
  maxProbability(): number;
  /** -sum of q ln q over K in ascending id order, in nats. */
  entropy(): number;

  /** Sets l of `id`, which must be in K, to a number below +Infinity; -Infinity removes it from K. */
  setLogit(id: number, value: number): void;
  /**
   * Sets l of each of `ids` that is in K to what `adjust` makes of it; the others stay out. Where one value is refused, or none
   * would be left, none is set: until all are known the candidates show what they were. An id that is named twice is adjusted
   * twice. Faster than `setLogit` for each: for the ids of a history.
   */
  adjustLogits(ids: readonly number[], adjust: (logit: number, id: number) => number): void;
  /**
   * Sets l of each of K, in ascending id order, to what `adjust` makes of it; -Infinity removes an id, and at least one must
   * stay. Where one value is refused, none is set.
   */
  mapLogits(adjust: (logit: number, id: number) => number): void;
  /** Divides every l of K by `divisor`, finite and > 0. Refused when a logit would overflow. */
  divideLogits(divisor: number): void;
  /** Keeps the first `count` ids in rank order, count >= 1; all when there are no more than that. */
  keepBest(count: number): void;
  /**
   * Keeps the fewest of the best whose q, summed in rank order, reach `p` in (0, 1]; all where rounding never does. At least
   * the first `least` in rank order stay, an integer >= 1; default 1.
   */
  keepMass(p: number, least?: number): void;
  /** Keeps the ids with q >= share * max q, share in [0, 1]; where these are fewer than `least`, as `keepBest(least)`. */
  keepLikely(share: number, least?: number): void;
  /**
   * Keeps the ids that a packed mask allows: bit `id & 31` of word `id >> 5`, ceil(V / 32) words, the bits beyond V without
   * meaning. It must leave at least one.
   */
  keepMask(words: Int32Array | Uint32Array): void;
  /** Keeps the ids with l >= `logit`, a number that is at most the largest l; -Infinity keeps all. */
  keepAtLeast(logit: number): void;
  /**
   * Keeps the ids for which `keep` is true, at least one. It is asked of each id once, in ascending order, with the id and
   * its index in K, under which the arrays of `logits()` and `probabilities()` have it.
   */
  keepIds(keep: (id: number, index: number) => boolean): void;
  /**
   * Decides the token: K becomes `id` alone, later steps of the chain are skipped, and nothing is drawn for it.
   * `id` must be in K.
   */
  settle(id: number): void;
}

/** The ids that came before: the prompt and what was generated so far, with counts kept as they grow. */
export interface History {
  readonly prompt: readonly number[];
  /** The generated ids, in order. */
  readonly output: readonly number[];
  /** Prompt and output, one after the other: the same array from token to token, which grows with the output. */
  readonly sequence: readonly number[];
  /** Each distinct id of prompt or output once, in order of first occurrence. */
  readonly seen: readonly number[];
  /** Each distinct id of output once, in order of first occurrence. */
  readonly generated: readonly number[];
  /** How many times `id` occurs in output. */
  outputCount(id: number): number;
}

/**
 * Functions of one number, or two, that give the same bits in every engine. JavaScript's own `Math.exp`, `Math.log`, `Math.pow`
 * and `**` do not: each engine has its own. They are those of the sampler's numerics, whatever these are bound to.
 */
export interface StepNumerics {
  /** e^x. */
  exp(x: number): number;
  /** The natural logarithm of x. */
  log(x: number): number;
  /** x^y. */
  pow(x: number, y: number): number;
  /** The logarithm of x to base 2. */
  log2(x: number): number;
  sqrt(x: number): number;
}

/** What a step may know besides the candidates. */
export interface StepContext {
  readonly history: History;
  readonly numerics: StepNumerics;
  /** The next uniform on [0, 1) of the request's stream; only for processors that declare `draws`. */
  uniform(): number;
}

/** What `accept` is told of an id beside it. */
export interface AcceptInfo {
  /**
   * q of the id, in [0, 1], as the step's `feedback` says, worked out when it is read, which is refused once `accept` has
   * returned; undefined for a step that declares none, and where it is not known:
   *
   * - sampled: known. Greedy, or settled by a step: `drawn` is 1, `own` is q at the step's place, unknown where the step did
   *   not run. The one id that a mask leaves, for which the model may not be asked: 1, either way.
   * - a draft that was accepted, or the id drawn in its place: known, the target's q, as if it had been sampled. In the chain
   *   of a draft model: the draft's q of what it drafted, while that stands; else unknown.
   * - forced (`Sampler.accept`): unknown, unless `distribution` was asked for this very token.
   * - told again, when a request begins after its history or a draft is taken back, and in a beam search: unknown.
   */
  readonly probability: number | undefined;
}

/**
 * One step of a chain. A plain object with `name` and `process` is enough.
 *
 * State moves only in `accept`, never in `process`: a step can be looked at twice (trace, speculation, ablation).
 *
 * A step with `accept` has a state, and belongs to one request: the first sampler, draft or beam search that gets it takes
 * it, and every other one refuses it by name, also after the first has ended, as the state is then that of its text. Make
 * one for each request. A beam search gives it back as it came. A step without `accept` may be shared by any number.
 */
export interface LogitsProcessor {
  /** In kebab-case; not `logprobs`, which chains as data have for something else. */
  readonly name: string;
  /** Default `policy`. */
  readonly stage?: Stage;
  /** False when the options make the step do nothing; the chain skips it. Default true. */
  readonly active?: boolean;
  /** Uniforms drawn for every token; exactly this many, whatever the logits. Default 0. */
  readonly draws?: number;
  /**
   * Whether no logit decides what `process` does where one id is left: it keeps that id, settles it, or refuses. Of a step of
   * stage `scores` it says more: that no logit decides which ids stay. So it is with the filters, penalties and masks of
   * Lockstep. Default false. Where one step knows the `only` id and all others say this, `generate` asks the model for nothing.
   */
  readonly leavesOne?: boolean;
  /**
   * What the step's work depends on beside its options, such as the version of an engine behind it: part of the chain's
   * fingerprint and of a saved request, which goes on only with a step of the same version. Default none.
   */
  readonly version?: string;
  /**
   * Which probability of an id `accept` is told, for a step that regulates itself by what is drawn (mirostat, adaptive-p):
   * `drawn`, q of the distribution that the token is drawn from, behind the whole chain; `own`, q of the candidates as this
   * step finds them, before its own edits, which costs a copy of them. Default: none.
   */
  readonly feedback?: 'drawn' | 'own';
  /** The checked options, for a chain as data; none is called `use`. */
  readonly options?: object;
  /**
   * Edits the candidates. They are lent for this call: kept longer, they are another token's, maybe another request's. So it
   * is synchronous, as the other methods are: a promise is refused. An InvalidValueError thrown here is said of the step, with
   * its place in the chain.
   */
  process(candidates: Candidates, context: StepContext): void;
  /**
   * The one id of `vocabSize` that `process` leaves now, whatever the logits, for a step that knows it; undefined where there
   * is a choice. Nothing changes by it.
   */
  only?(vocabSize: number): number | undefined;
  /**
   * Told, by whoever runs the model, before the first token how many tokens may come at most, an integer >= 0. A step that
   * cannot do with so few refuses it by throwing.
   */
  budget?(tokens: number): void;
  /** What there is to say of the text so far beside its tokens; undefined for nothing. It is in the result, under the name. */
  report?(): JsonValue | undefined;
  /**
   * Told every id that enters the history, sampled or forced, once. It may refuse one by throwing, and must not have changed
   * then: the id does not enter. Steps that can go back (`save` and `restore`) are told before those that cannot, and are
   * brought back when another one refuses. A step that cannot go back and was told of an id that the next one refused is
   * not told of it again; until that id comes after all, its sampler refuses every other.
   * @param info what is known of the id; with `feedback`, its probability
   */
  accept?(id: number, info?: AcceptInfo): void;
  /** The state as JSON, for a processor that has one. */
  save?(): JsonValue;
  /** Takes over a state that `save` gave. */
  restore?(state: JsonValue): void;
}
