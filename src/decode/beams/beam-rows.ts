/**
 * The logprobs behind a beam, after the processors, each beam with a history and processor states of its own.
 *
 * The processors see the log-softmax of the raw logits, and the row is what they make of it, not renormalized. Only where
 * there is one beam, which is greedy search, they see the raw logits, as in `generate`: the row is then the log-softmax
 * where the chain defines logprobs, so that a mask renormalizes, and -Infinity outside K.
 */
import type { JsonValue, StepContext } from '../../../processors/contract.js';
import type { CandidateSet } from '../../candidates/candidate-set.js';
import type { Scores } from '../../candidates/scores.js';
import type { ProcessorChain } from '../../chain/processor-chain.js';
import { checkFree, giveBackSteps, takeSteps } from '../../chain/step-owners.js';
import { InvalidValueError, NothingLeftError } from '../../errors.js';
import { type Numerics, type ScalarNumerics, scalarNumerics } from '../../numerics/numerics.js';
import { threadLender } from '../../sampler/candidate-lender.js';
import type { Reports } from '../run/events.js';
import { BeamHistories } from './beam-histories.js';
import type { BeamRow } from './continuations.js';
import { Hypothesis } from './hypothesis.js';

/** Where no step looks at the history: the prompt alone. */
const ROOT = Hypothesis.empty();

/** What the processors see: `logits` or `logprobs`. */
export type RowForm = 'logits' | 'logprobs';

export interface BeamRowsParts {
  readonly chain: ProcessorChain;
  readonly form: RowForm;
  readonly prompt: readonly number[];
  readonly numerics: Numerics;
  /** What an earlier group's choice of an id costs. */
  readonly diversityPenalty: number;
}

export class BeamRows {
  readonly #parts: BeamRowsParts;
  /** The chain as it was given. */
  readonly #start: readonly JsonValue[] | undefined;
  readonly #isActive: boolean;
  /** Whether a step may have something to say of a sequence. */
  readonly #isTold: boolean;
  /** What they said of those that do not go on. */
  readonly #reports = new WeakMap<Hypothesis, Reports>();
  readonly #histories: BeamHistories;
  readonly #numerics: ScalarNumerics;
  #states = new Map<Hypothesis, readonly JsonValue[]>();
  /** Live beams that nothing may come behind. */
  readonly exhausted = new Set<Hypothesis>();

  constructor(parts: BeamRowsParts) {
    const { chain } = parts;
    if (chain.draws > 0) throw new InvalidValueError('beamSearch', 'chain.draws', '0', chain.draws);
    checkFree('beamSearch', chain.steps);
    this.#parts = parts;
    this.#numerics = scalarNumerics(parts.numerics);
    this.#start = chain.steps.some((step) => step.accept !== undefined) ? chain.save() : undefined;
    this.#histories = new BeamHistories(parts.prompt);
    this.#isActive = chain.steps.some((step) => step.active !== false);
    this.#isTold = chain.steps.some((step) => step.report !== undefined);
  }

  /** The row behind `beam`, which `follow` was told of or is the empty one, from the model's logits, f32[V]. */
  row(beam: Hypothesis, logits: Float32Array, used?: ReadonlyMap<number, number>): BeamRow {
    const { form, numerics } = this.#parts;
    const logprobs = threadLender.lend(numerics, logits, (candidates) =>
      form === 'logits' ? this.#ofLogits(candidates, beam, logits) : this.#ofLogprobs(candidates, beam, logits, used),
    );
    if (logprobs === undefined || !logprobs.some((x) => x > -Infinity)) this.#exhaust(beam);
    return { beam, logprobs: logprobs ?? new Float64Array(0) };
  }

  /** Asks the processors about sequences of `ended` that ended in the last step: about the others they were asked before. */
  hear(ended: readonly Hypothesis[]): void {
    if (!this.#isTold) return;
    for (const sequence of ended) {
      if (this.#reports.has(sequence)) continue;
      this.#restore(sequence.parent ?? missing());
      if (this.#start !== undefined) this.#parts.chain.accept(sequence.id);
      this.#hear(sequence);
    }
  }

  /** What the processors had to say of a sequence that does not go on; undefined for nothing. */
  reports(sequence: Hypothesis): Reports | undefined {
    const reports = this.#reports.get(sequence);
    return reports === undefined || Object.keys(reports).length === 0 ? undefined : reports;
  }

  /** Tells the processors of the last ids of `live`: each beam goes on from its parent's states. */
  follow(live: readonly Hypothesis[]): void {
    if (this.#isActive) this.#histories.follow(live);
    if (this.#start === undefined) return;
    const states = new Map<Hypothesis, readonly JsonValue[]>();
    for (const beam of live) {
      this.#restore(beam.parent ?? missing());
      this.#parts.chain.accept(beam.id);
      states.set(beam, this.#parts.chain.save());
    }
    this.#states = states;
  }

  /** Takes the chain: no other request may have its steps with a state until `close`. */
  open(): void {
    takeSteps('beamSearch', this.#parts.chain.steps);
  }

  /** Gives the chain back as it came. */
  close(): void {
    const { chain } = this.#parts;
    if (this.#start !== undefined) chain.restore(this.#start);
    giveBackSteps(chain.steps);
  }

  #exhaust(beam: Hypothesis): void {
    this.exhausted.add(beam);
    if (!this.#isTold) return;
    this.#restore(beam);
    this.#hear(beam);
  }

  #hear(sequence: Hypothesis): void {
    this.#reports.set(sequence, this.#parts.chain.reports() ?? {});
  }

  #ofLogits(candidates: CandidateSet, beam: Hypothesis, logits: Float32Array): Float64Array | undefined {
    candidates.load(logits, 'beamSearch');
    const scores = this.#process(candidates, beam);
    if (scores === undefined) return undefined;
    const out = candidates.toLogits(); // K; what l is there may be tempered, the scores are not
    for (let id = 0; id < out.length; id++) if (out[id] !== -Infinity) out[id] = scores.logprob(id);
    return out;
  }

  #ofLogprobs(
    candidates: CandidateSet,
    beam: Hypothesis,
    logits: Float32Array,
    used: ReadonlyMap<number, number> | undefined,
  ): Float64Array | undefined {
    candidates.load(logits, 'beamSearch');
    const scores = candidates.tapScores();
    const logTotal = this.#parts.numerics.log(scores.total);
    const { max } = scores;
    const out = new Float64Array(logits.length);
    for (let id = 0; id < out.length; id++) out[id] = (logits[id] as number) - max - logTotal;
    for (const [id, times] of used ?? []) out[id] = (out[id] as number) - this.#parts.diversityPenalty * times;
    if (!this.#isActive) return out;
    candidates.load(out, 'beamSearch');
    return this.#process(candidates, beam) === undefined ? undefined : candidates.toLogits();
  }

  /** The scores, from the chain run on the loaded candidates; undefined where it leaves nothing. */
  #process(candidates: CandidateSet, beam: Hypothesis): Scores | undefined {
    this.#restore(beam);
    try {
      return this.#parts.chain.process(candidates, this.#context(beam));
    } catch (error) {
      if (error instanceof NothingLeftError) return undefined;
      throw error;
    }
  }

  #context(beam: Hypothesis): StepContext {
    const history = this.#histories.of(this.#isActive ? beam : ROOT);
    return { history, numerics: this.#numerics, uniform: noUniform };
  }

  /** Brings the processors to where they are behind `beam`. */
  #restore(beam: Hypothesis): void {
    if (this.#start === undefined) return;
    this.#parts.chain.restore(beam.parent === undefined ? this.#start : (this.#states.get(beam) ?? missing()));
  }
}

function missing(): never {
  throw new Error('BeamRows: a live beam that was not followed');
}

function noUniform(): never {
  throw new InvalidValueError('beamSearch', 'chain.draws', '0', 'a step that draws');
}
