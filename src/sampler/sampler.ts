/**
 * The sampler of one request: it owns the request's uniforms, its history and its candidates.
 */
import type { JsonValue, LogitsProcessor, StepContext } from '../../processors/contract.js';
import { CandidateSet } from '../candidates/candidate-set.js';
import type { Logits } from '../candidates/logits.js';
import type { RankedLogprob, Scores } from '../candidates/scores.js';
import type { ProcessorChain } from '../chain/processor-chain.js';
import { InvalidValueError } from '../errors.js';
import { exactNumerics, type Numerics } from '../numerics/numerics.js';
import type { UniformSource } from '../random/pcg32.js';
import type { Seed } from '../random/seed.js';
import { inverseCdf } from './inverse-cdf.js';
import { TokenHistory } from './token-history.js';

const OWNER = 'Sampler';

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
  /** Ids generated before; the processors are told of them, or have the `states` in which they were after them. */
  readonly history?: ArrayLike<number>;
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

export class Sampler {
  readonly chain: ProcessorChain;
  readonly seed: Seed;
  readonly #uniforms: UniformSource;
  readonly #history: TokenHistory;
  readonly #candidates: CandidateSet;
  readonly #context: StepContext;
  /** Drawn for a token that was then refused; used first. */
  #returned: number[] = [];
  /** Drawn for the token under way. */
  #drawn: number[] = [];
  /** The steps' states after the first ids of the output, to go back to. */
  readonly #base: { readonly states: readonly (JsonValue | undefined)[]; readonly length: number };
  #draws: number;
  #vocabSize: number | undefined;
  #scores: Scores | undefined;

  constructor(parts: SamplerParts) {
    this.chain = parts.chain;
    this.seed = parts.seed;
    this.#uniforms = parts.uniforms;
    this.#draws = parts.draws ?? 0;
    this.#history = new TokenHistory(parts.prompt, parts.history, OWNER);
    this.#candidates = new CandidateSet(parts.numerics ?? exactNumerics);
    this.#context = { history: this.#history, uniform: () => this.#draw() };
    if (parts.states !== undefined) this.chain.restore(parts.states);
    else for (const id of this.#history.output) this.chain.accept(id);
    this.#base = { states: this.chain.states(), length: this.#history.output.length };
  }

  /** The prompt's ids and the generated ones. */
  get history(): TokenHistory {
    return this.#history;
  }

  /** Uniforms drawn so far: one for each sampled token, none for a greedy or forced one, plus what the steps declare. */
  get draws(): number {
    return this.#draws;
  }

  /** V, once known. */
  get vocabSize(): number | undefined {
    return this.#vocabSize;
  }

  /**
   * One token from the model's logits, f32[V] or f64[V], which are not modified; it enters the history.
   * Throws InvalidValueError for logits, ids or parameters that do not fit; then nothing was drawn or changed.
   */
  sample(logits: Logits, observer?: SampleObserver): SampledToken {
    const id = this.sampleId(logits, observer);
    return { id, logprob: this.logprob(id) };
  }

  /** As `sample`, without the logprob, which takes an exp of every id of the vocabulary. */
  sampleId(logits: Logits, observer?: SampleObserver): number {
    this.#scores = undefined;
    this.#drawn.length = 0;
    try {
      this.#load(logits);
      const scores = this.#process(observer);
      const id = this.#choose(observer);
      this.#enter(id);
      this.#vocabSize = logits.length;
      this.#scores = scores;
      return id;
    } catch (error) {
      this.#returnDrawn();
      throw error;
    }
  }

  /**
   * What the next token would be drawn from, f64[V]: q by id, one-hot where a step settles the token. Nothing is drawn and
   * nothing enters the history; the logprobs and the entropy are those of this distribution from now on.
   * For whoever draws otherwise, such as a verifier of drafts: with `uniform` and `accept`.
   */
  distribution(logits: Logits): Float64Array {
    if (this.chain.draws > 0) {
      throw new InvalidValueError(OWNER, 'chain.draws', '0 where only the distribution is asked for', this.chain.draws);
    }
    this.#scores = undefined;
    this.#drawn.length = 0;
    this.#load(logits);
    const scores = this.#process(undefined);
    this.#vocabSize = logits.length;
    this.#scores = scores;
    return this.#candidates.toProbabilities();
  }

  /** The next uniform on [0, 1) of the request's stream. */
  uniform(): number {
    return this.#draw();
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

  /** Enters an id that was not sampled here into the history: nothing is drawn. */
  accept(id: number): void {
    const domain = this.#vocabSize === undefined ? 'an integer >= 0' : `an integer in [0, ${this.#vocabSize})`;
    if (!(Number.isSafeInteger(id) && id >= 0 && id < (this.#vocabSize ?? Infinity))) {
      throw new InvalidValueError(OWNER, 'id', domain, id);
    }
    this.#scores = undefined;
    this.#enter(id);
  }

  /** The id that a step of the chain decided on for the last token, as in greedy decoding; undefined where it was drawn. */
  get settled(): number | undefined {
    this.#lastScores('settled');
    return this.#candidates.settled;
  }

  /** The entropy of the distribution that the last token was drawn from, in nats; 0 when it was greedy. */
  entropy(): number {
    this.#lastScores('entropy');
    return this.#candidates.entropy();
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

  #load(logits: Logits): void {
    this.#candidates.load(logits, OWNER);
    if (this.#vocabSize !== undefined && logits.length !== this.#vocabSize) {
      throw new InvalidValueError(OWNER, 'logits.length', `${this.#vocabSize}, as before`, logits.length);
    }
    this.#history.checkWithin(logits.length, OWNER);
  }

  #process(observer: SampleObserver | undefined): Scores {
    const candidates = this.#candidates;
    observer?.start?.(candidates);
    let before = 0;
    const scores = this.chain.process(candidates, this.#context, (index, step) => {
      checkDraws(step, this.#drawn.length - before);
      before = this.#drawn.length;
      observer?.step?.(index, step, candidates);
    });
    observer?.scored?.(scores);
    return scores;
  }

  #choose(observer: SampleObserver | undefined): number {
    const { settled } = this.#candidates;
    if (settled !== undefined) return settled;
    const u = this.#draw();
    observer?.draw?.(u, this.#candidates);
    return inverseCdf(this.#candidates, u);
  }

  #enter(id: number): void {
    try {
      this.chain.accept(id);
    } catch (error) {
      this.#rewind();
      throw error;
    }
    this.#history.accept(id);
  }

  /** Brings the steps back to where the history is, when one of them did not accept an id that others had accepted. */
  #rewind(): void {
    const { states, length } = this.#base;
    this.chain.rewind(states, this.#history.output.slice(length));
  }

  #draw(): number {
    const u = this.#returned.shift() ?? this.#uniforms.uniform();
    this.#drawn.push(u);
    this.#draws++;
    return u;
  }

  /** A refused token leaves the stream where it was. */
  #returnDrawn(): void {
    this.#draws -= this.#drawn.length;
    this.#returned.unshift(...this.#drawn);
    this.#drawn.length = 0;
  }

  #lastScores(name: string): Scores {
    if (this.#scores !== undefined) return this.#scores;
    throw new InvalidValueError(OWNER, name, 'asked for after a token was sampled', 'no token');
  }
}

/** A step draws exactly what it declared: the position of a stream is known from the number of tokens. */
function checkDraws(step: LogitsProcessor, drawn: number): void {
  const declared = step.draws ?? 0;
  if (drawn === declared) return;
  throw new InvalidValueError(OWNER, `${step.name}.draws`, `the ${declared} declared`, drawn);
}
