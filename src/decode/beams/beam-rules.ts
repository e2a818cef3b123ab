/**
 * What the rules of a beam search decide: which beams live on, which sequences ended, and when it is over.
 */
import type { BeamRow, Chooser } from './continuations.js';
import type { Hypothesis } from './hypothesis.js';
import type { ScoreOf } from './length-penalty.js';

/** `stop`: an end id; `length`: as many ids as allowed; `exhausted`: no id was allowed behind it. */
export type BeamFinishReason = 'stop' | 'length' | 'exhausted';

/** A sequence that does not go on. */
export interface Ended {
  readonly hypothesis: Hypothesis;
  /** logprob / length^length_penalty. */
  readonly score: number;
  readonly finish_reason: BeamFinishReason;
}

/**
 * The logprobs behind a live beam. `used`: how many beams of earlier groups chose an id at this step.
 */
export type RowOf = (beam: Hypothesis, used?: ReadonlyMap<number, number>) => BeamRow;

export interface BeamRules {
  /** The beams to extend, in the order of their flat index; none when the search is over. */
  readonly live: readonly Hypothesis[];
  /** The sequences that ended so far, best first. */
  readonly ended: readonly Ended[];
  /** Extends every live beam by one id. */
  advance(rowOf: RowOf): void;
}

/** What all rules need. */
export interface RuleSettings {
  readonly numBeams: number;
  readonly maxTokens: number;
  readonly endIds: readonly number[];
  readonly scoreOf: ScoreOf;
  readonly choose: Chooser;
}

/** Highest score first; equal scores in the order given. */
export function byScore(ended: readonly Ended[]): Ended[] {
  return [...ended].sort((a, b) => b.score - a.score);
}
