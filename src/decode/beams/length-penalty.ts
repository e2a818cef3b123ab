/**
 * The score of a sequence: its logprob / length^length_penalty, in nats.
 *
 * The power is a product where the penalty is an integer in [-64, 64], factor by factor from 1, and 1 / that where it is
 * negative; else exp(penalty * log(length)), with the exp and log of the numerics. `Math.pow` differs between engines.
 * The length counts the end id and not the prompt.
 * Source: docs/SPEC.md, "Beam search"; Wu et al. 2016, arXiv 1609.08144, for the idea.
 */
import type { Numerics } from '../../numerics/numerics.js';

const MOST_FACTORS = 64;

/** length^penalty. */
export function lengthPower(length: number, penalty: number, numerics: Numerics): number {
  if (!(Number.isInteger(penalty) && Math.abs(penalty) <= MOST_FACTORS)) {
    return numerics.exp(penalty * numerics.log(length));
  }
  let power = 1;
  for (let i = Math.abs(penalty); i > 0; i--) power *= length;
  return penalty < 0 ? 1 / power : power;
}

/** The score of a logprob at some length; `length` at least 1. */
export type ScoreOf = (logprob: number, length: number) => number;

/** Scores under one penalty. */
export function scoreWith(penalty: number, numerics: Numerics): ScoreOf {
  return (logprob, length) => logprob / lengthPower(length, penalty, numerics);
}
