/**
 * The sampler of one request: it owns the request's uniforms and its history. The arrays that a token is worked out in are
 * lent: a request that waits for its next token holds none, once `release` says that the last one was read.
 */
import type { JsonValue, LogitsProcessor, StepContext } from '../../processors/contract.js';
import type { CandidateSet } from '../candidates/candidate-set.js';
import type { RankedLogprob, Scores } from '../candidates/scores.js';
import { isChain, type ProcessorChain } from '../chain/processor-chain.js';
import { giveBackSteps, takeSteps } from '../chain/step-owners.js';
import { InvalidValueError } from '../errors.js';
import { checkFunction, checkId, readable } from '../inputs.js';
import { hasFunction, isInstance, isObject } from '../kinds.js';
import { type Logits, vectorLength } from '../logits.js';
import { exactNumerics, isNumerics, NUMERICS_DOMAIN, type Numerics, scalarNumerics } from '../numerics/numerics.js';
import { anyField, countField, idsField, listField } from '../options/fields.js';
import { field, optionsOf, required } from '../options/options-of.js';
import type { UniformSource } from '../random/pcg32.js';
import { isSeed, SEED_DOMAIN, type Seed } from '../random/seed.js';
import { threadLender } from './candidate-lender.js';
import { inverseCdf } from './inverse-cdf.js';
import { withOnlyRow } from './only-row.js';
import { TokenHistory } from './token-history.js';
import { TokenUniforms } from './token-uniforms.js';
import { ToldSteps, tellHistory } from './told-steps.js';

const OWNER = 'Sampler';
/** Why nothing can be said of a last token. */
const NO_TOKEN = { domain: 'asked for after a token was sampled', found: 'no token' };
const RELEASED = { domain: 'asked for before `release`', found: 'released' };

/** One token. */
export interface SampledToken {
  readonly id: number;
  /** ln of the softmax over the scores, over the whole vocabulary, in nats; temperature and filters do not change it. */
  readonly logprob: number;
}

export interface SamplerParts {
  readonly chain: ProcessorChain;
  /** The seed that `uniforms` comes from, for `save`. */
  readonly seed: Seed;
  /** The request's stream, at the position `draws`. */
  readonly uniforms: UniformSource;
  /** Uniforms drawn before. Default 0. */
  readonly draws?: number;
  readonly prompt?: ArrayLike<number>;
  /**
   * Ids generated before; the processors are told of them, or have the `states` in which they were after them. A TokenHistory
   * has the prompt as well, and is the sampler's from now on.
   */
  readonly history?: ArrayLike<number> | TokenHistory;
  readonly states?: readonly JsonValue[];
  readonly numerics?: Numerics;
}

/** Looks on while a token is sampled: a trace. It must not change the candidates. */
export interface SampleObserver {
  /** The candidates as they came. */
  start?(candidates: CandidateSet): void;
  /** After each step that ran, with its index in the chain. */
  step?(index: number, step: LogitsProcessor, candidates: CandidateSet): void;
  /** After the last step, with the scores that logprobs are read from. */
  scored?(scores: Scores): void;
  /** Before the walk, with the token's uniform; not called when a step settled the token. */
  draw?(u: number, candidates: CandidateSet): void;
}

const SAMPLER_PARTS = optionsOf<SamplerParts>({
  chain: required('a ProcessorChain', isChain),
  seed: required(SEED_DOMAIN, isSeed),
  uniforms: required('a source of uniforms (an object with `uniform`)', (value) => hasFunction(value, 'uniform')),
  draws: countField(0),
  prompt: idsField,
  history: anyField, // ids, or a history
  states: listField('an array with a state for each step'),
  numerics: field(NUMERICS_DOMAIN, isNumerics),
});

export class Sampler {
  readonly chain: ProcessorChain;
  readonly seed: Seed;
  readonly #uniforms: TokenUniforms;
  readonly #history: TokenHistory;
  readonly #numerics: Numerics;
  readonly #context: StepContext;
  readonly #told: ToldSteps;
  #vocabSize: number | undefined;
  /** Lent, from a token on until it was read. */
  #candidates: CandidateSet | undefined;
  /** Of the last token, in the arrays of the candidates. */
  #scores: Scores | undefined;
  /** Who looks on while the token under way is sampled, and how many uniforms its steps had drawn before the last one. */
  #observer: SampleObserver | undefined;
  #drawnBefore = 0;
  readonly #afterStep = (index: number, step: LogitsProcessor): void => {
    checkDraws(step, this.#uniforms.drawn - this.#drawnBefore);
    this.#drawnBefore = this.#uniforms.drawn;
    this.#observer?.step?.(index, step, this.#candidates as CandidateSet); // lent while a token is under way
  };
  /** Why there are none. */
  #without = NO_TOKEN;
  /** Whether the candidates are those of the token that comes next, as `distribution` left them. */
  #isNext = false;
  /** Whether a token is under way, or an id is being entered. */
  #isBusy = false;

  constructor(given: SamplerParts) {
    const parts = SAMPLER_PARTS.check(OWNER, given, 'parts');
    this.chain = parts.chain;
    this.seed = parts.seed;
    this.#uniforms = new TokenUniforms(parts.uniforms, parts.draws ?? 0);
    this.#history = historyOf(parts);
    this.#numerics = parts.numerics ?? exactNumerics;
    this.#context = {
      history: this.#history,
      numerics: scalarNumerics(this.#numerics),
      uniform: () => this.#uniforms.draw(OWNER),
    };
    takeSteps(OWNER, this.chain.steps);
    this.#begun(parts.states);
    this.#told = new ToldSteps(this.chain, this.#history.output.length);
  }

  /** Brings the steps to where the history is; a sampler that cannot leaves those that can go back to others. */
  #begun(states: readonly JsonValue[] | undefined): void {
    try {
      if (states !== undefined) this.chain.restore(states);
      else tellHistory(this.chain, this.#history.output);
    } catch (error) {
      giveBackSteps(this.chain.steps.filter((step) => step.restore !== undefined));
      throw error;
    }
  }

  /** The prompt's ids and the generated ones. */
  get history(): TokenHistory {
    return this.#history;
  }

  /** Uniforms drawn so far: one for each sampled token, none for a greedy or forced one, plus what the steps declare. */
  get draws(): number {
    return this.#uniforms.draws;
  }

  /** What the values come from. */
  get numerics(): Numerics {
    return this.#numerics;
  }

  /** V, once known. */
  get vocabSize(): number | undefined {
    return this.#vocabSize;
  }

  /**
   * One token from the model's logits, f32[V] or f64[V], which are not modified; it enters the history. What is then asked
   * about it is answered until the next token or `release`.
   * Throws InvalidValueError for logits, ids or parameters that do not fit; then nothing was drawn or changed.
   */
  sample(logits: Logits, observer?: SampleObserver): SampledToken {
    const id = this.#sample(logits, observer, true);
    return { id, logprob: this.logprob(id) };
  }

  /** As `sample`, without the logprob, which takes an exp of every id of the vocabulary. */
  sampleId(logits: Logits, observer?: SampleObserver): number {
    return this.#sample(logits, observer, false);
  }

  /**
   * As `sample`, for a token that needs no logits: `id` is what `chain.only(vocabSize)` gives now. Its logprob and its entropy
   * are 0, and as many uniforms are drawn as with logits.
   */
  sampleOnly(id: number, vocabSize: number): SampledToken {
    checkId(OWNER, 'id', id, checkId(OWNER, 'vocabSize', vocabSize));
    if (this.#vocabSize !== undefined && vocabSize !== this.#vocabSize) {
      throw new InvalidValueError(OWNER, 'vocabSize', `${this.#vocabSize}, as before`, vocabSize);
    }
    return withOnlyRow(id, vocabSize, (logits) => this.sample(logits));
  }

  /**
   * What the next token would be drawn from, f64[V]: q by id, one-hot where a step settles the token. Nothing is drawn and
   * nothing enters the history; the logprobs and the entropy are those of this distribution from now on.
   * For a caller that draws by itself, such as a verifier of drafts: with `uniform` and `accept`.
   */
  distribution(logits: Logits): Float64Array {
    if (this.chain.draws > 0) {
      throw new InvalidValueError(OWNER, 'chain.draws', '0 where only the distribution is asked for', this.chain.draws);
    }
    this.#begin();
    try {
      const candidates = this.#load(logits, false);
      const scores = this.#process(candidates, undefined);
      const distribution = candidates.toProbabilities();
      this.#finish(logits, scores);
      this.#isNext = true;
      return distribution;
    } catch (error) {
      this.#undo();
      throw error;
    }
  }

  /**
   * Gives the arrays of the last token back, for other requests of this thread to be sampled in: nothing can be asked about
   * it any more. The next token takes others. Whoever does not call it keeps some 50 bytes an id of the vocabulary.
   */
  release(): void {
    this.#refuseBusy('release');
    this.#forget(this.#scores === undefined ? this.#without : RELEASED);
  }

  /** The next uniform on [0, 1) of the request's stream; a step that draws has `uniform` of its context. */
  uniform(): number {
    this.#refuseBusy('uniform');
    const u = this.#uniforms.draw(OWNER);
    this.#uniforms.keep(); // of no token
    return u;
  }

  /**
   * The logprob of any id by the scores of the last token, in nats, over the whole vocabulary; -Infinity where masked.
   * Temperature and filters do not change it.
   */
  logprob(id: number): number {
    const scores = this.#lastScores('logprob');
    const vocabSize = this.#vocabSize as number;
    if (Number.isInteger(id) && id >= 0 && id < vocabSize) return scores.logprob(id);
    throw new InvalidValueError(OWNER, 'id', `an integer in [0, ${vocabSize})`, id);
  }

  /**
   * Enters an id that was not sampled here into the history: nothing is drawn, and the last token is no longer known. Where
   * `distribution` was asked for this token, steps with `feedback` are told the id's share of it.
   */
  accept(id: number): void {
    const domain = this.#vocabSize === undefined ? 'an integer >= 0' : `an integer in [0, ${this.#vocabSize})`;
    if (!(Number.isSafeInteger(id) && id >= 0 && id < (this.#vocabSize ?? Infinity))) {
      throw new InvalidValueError(OWNER, 'id', domain, id);
    }
    this.#refuseBusy('accept');
    this.#told.check(OWNER, id);
    this.#isBusy = true;
    try {
      this.#enter(id, this.#isNext ? this.#candidates : undefined);
    } finally {
      this.#isBusy = false;
    }
    this.#forget(NO_TOKEN);
  }

  /** The id that a step of the chain decided on for the last token, as in greedy decoding; undefined where it was drawn. */
  get settled(): number | undefined {
    return this.#lastCandidates('settled').settled;
  }

  /** The entropy of the distribution that the last token was drawn from, in nats; 0 when it was greedy. */
  entropy(): number {
    return this.#lastCandidates('entropy').entropy();
  }

  /**
   * The `count` most likely ids by the scores of the last token, most likely first, ties to the lower id; fewer when
   * fewer are not masked. The logprobs are over the whole vocabulary.
   */
  topLogprobs(count: number): RankedLogprob[] {
    if (!(Number.isInteger(count) && count >= 0)) {
      throw new InvalidValueError(OWNER, 'count', 'an integer >= 0', count);
    }
    return this.#lastScores('topLogprobs').best(count);
  }

  #sample(logits: Logits, observer: SampleObserver | undefined, withLogprob: boolean): number {
    checkObserver(observer);
    this.#begin();
    try {
      const candidates = this.#load(logits, withLogprob);
      const scores = this.#process(candidates, observer);
      const id = this.#choose(candidates, observer);
      this.#enter(id, candidates);
      this.#finish(logits, scores);
      return id;
    } catch (error) {
      this.#undo();
      throw error;
    }
  }

  #begin(): void {
    this.#refuseBusy('sample');
    this.#told.check(OWNER);
    this.#isBusy = true;
    this.#isNext = false;
    this.#scores = undefined;
    this.#uniforms.keep();
  }

  #load(logits: Logits, withLogprob: boolean): CandidateSet {
    const length = vectorLength(OWNER, logits);
    if (this.#vocabSize !== undefined && length !== this.#vocabSize) {
      throw new InvalidValueError(OWNER, 'logits.length', `${this.#vocabSize}, as before`, length);
    }
    this.#candidates ??= threadLender.borrow(this.#numerics, logits); // those of the last token are as long
    const candidates = this.#candidates;
    candidates.load(logits, OWNER, withLogprob);
    this.#history.checkWithin(logits.length, OWNER);
    return candidates;
  }

  #process(candidates: CandidateSet, observer: SampleObserver | undefined): Scores {
    observer?.start?.(candidates);
    this.#observer = observer;
    this.#drawnBefore = 0;
    const scores = this.chain.process(candidates, this.#context, this.#afterStep);
    observer?.scored?.(scores);
    return scores;
  }

  #choose(candidates: CandidateSet, observer: SampleObserver | undefined): number {
    const { settled } = candidates;
    if (settled !== undefined) return settled;
    const u = this.#uniforms.draw(OWNER);
    observer?.draw?.(u, candidates);
    return inverseCdf(candidates, u);
  }

  /** @param candidates what the id was drawn from, if it was */
  #enter(id: number, candidates: CandidateSet | undefined): void {
    this.#told.accept(id, this.#history.output, candidates);
    this.#history.accept(id);
  }

  #finish(logits: Logits, scores: Scores): void {
    this.#vocabSize = logits.length;
    this.#scores = scores;
    this.#uniforms.keep();
    this.#isBusy = false;
  }

  /** A refused token leaves the stream where it was, and holds no arrays. */
  #undo(): void {
    this.#uniforms.giveBack();
    this.#isBusy = false;
    this.#forget(NO_TOKEN);
  }

  /** Nothing is known of the last token from now on. */
  #forget(why: typeof NO_TOKEN): void {
    this.#isNext = false;
    this.#scores = undefined;
    this.#without = why;
    this.#giveBack();
  }

  #giveBack(): void {
    const candidates = this.#candidates;
    this.#candidates = undefined;
    if (candidates !== undefined) threadLender.giveBack(candidates);
  }

  /** Refuses a call from within a token of this very sampler, by a step or an observer. */
  #refuseBusy(name: string): void {
    if (this.#isBusy)
      throw new InvalidValueError(OWNER, name, 'called between two tokens', 'a call in the midst of one');
  }

  #lastScores(name: string): Scores {
    if (this.#scores !== undefined) return this.#scores;
    throw new InvalidValueError(OWNER, name, this.#without.domain, this.#without.found);
  }

  #lastCandidates(name: string): CandidateSet {
    this.#lastScores(name);
    return this.#candidates as CandidateSet; // lent as long as there are scores
  }
}

/** Refuses, naming `owner` and `name`, what is no sampler of this copy of the package. */
export function checkSampler(owner: string, name: string, value: unknown): asserts value is Sampler {
  if (!isSampler(value)) throw new InvalidValueError(owner, name, 'a Sampler', value);
}

export function isSampler(value: unknown): value is Sampler {
  return isInstance(value, Sampler);
}

const HOOKS = ['start', 'step', 'scored', 'draw'] as const;

/** A history that was given is the sampler's from now on. */
function historyOf({ prompt, history }: SamplerParts): TokenHistory {
  if (!isInstance(history, TokenHistory)) return new TokenHistory(prompt, history, OWNER);
  if (prompt === undefined) return history;
  throw new InvalidValueError(OWNER, 'prompt', 'part of the history given', prompt);
}

function checkObserver(observer: SampleObserver | undefined): void {
  if (observer === undefined) return;
  if (!isObject(observer)) throw new InvalidValueError(OWNER, 'observer', 'an object with hooks', observer);
  for (const hook of HOOKS) {
    const value: unknown = readable(OWNER, 'observer', observer, () => observer[hook]);
    if (value !== undefined) checkFunction(OWNER, `observer.${hook}`, value);
  }
}

/** A step draws exactly what it declared: the position of a stream is known from the number of tokens. */
function checkDraws(step: LogitsProcessor, drawn: number): void {
  const declared = step.draws ?? 0;
  if (drawn === declared) return;
  throw new InvalidValueError(OWNER, `${step.name}.draws`, `the ${declared} declared`, drawn);
}
