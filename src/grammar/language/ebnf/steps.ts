/**
 * Steps of reading a grammar, counted, so that every machine refuses the same.
 */
import type { Refuse } from './tokens.js';

/** The most steps for one grammar; they take about a tenth of a second. */
const MOST_STEPS = 1_000_000;

/** Counts steps; throws where there are too many. */
export type Spend = (steps: number) => void;

export function countSteps(refuse: Refuse): Spend {
  let left = MOST_STEPS;
  return (steps) => {
    left -= steps;
    if (left < 0) throw refuse(`a grammar that is read in ${MOST_STEPS} steps`);
  };
}
