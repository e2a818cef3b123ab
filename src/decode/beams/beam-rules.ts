/**
 * What the rules of a beam search decide: which beams live on, which sequences ended, and when it is over.
 */
import type { EndOf } from './beam-ends.js';
import type { BeamRow, Chooser } from './continuations.js';
import type { Hypothesis } from './hypothesis.js';
import type { ScoreOf } from './length-penalty.js';

/** `stop`: an end id or a stop string; `length`: as many ids as allowed; `exhausted`: no id was allowed behind it. */
export type BeamFinishReason = 'stop' | 'length' | 'exhausted';

/** A sequence that does not go on. */
export interface Ended {
  readonly hypothesis: Hypothesis;
  /** logprob / length^length_penalty. */
  readonly score: number;
  readonly finish_reason: BeamFinishReason;
  /** With the reason `stop`. */
  readonly stopped_by?: number | string;
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
  /** Each once. */
  readonly endIds: readonly number[];
  readonly endOf: EndOf;
  readonly scoreOf: ScoreOf;
  readonly choose: Chooser;
}

/** `hypothesis` as one that does not go on: for what ended it, or undefined for the most tokens. */
export function endedBy(hypothesis: Hypothesis, by: number | string | undefined, scoreOf: ScoreOf): Ended {
  const score = scoreOf(hypothesis.logprob, hypothesis.length);
  if (by === undefined) return { hypothesis, score, finish_reason: 'length' };
  return { hypothesis, score, finish_reason: 'stop', stopped_by: by };
}

/** Highest score first; equal scores in the order given. */
export function byScore(ended: readonly Ended[]): Ended[] {
  return [...ended].sort((a, b) => b.score - a.score);
}
