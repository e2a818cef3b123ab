/**
 * What a step is told of an id beside it: its probability, read off the candidates that it was drawn from, for a step that
 * declares `feedback`, and only when it asks.
 */
import type { AcceptInfo, LogitsProcessor } from '../../processors/contract.js';
import type { CandidateSet } from '../candidates/candidate-set.js';
import { InvalidValueError } from '../errors.js';
import { tellStep } from './step-calls.js';

/** For an id that was not drawn, and for a step that declares no feedback. */
export const NOTHING_KNOWN: AcceptInfo = Object.freeze({ probability: undefined });

/**
 * Tells `step`, which stands at `index` of its chain, that `id` entered the history.
 * @param candidates what the id was drawn from, as the chain left it; undefined where it was not drawn
 */
export function tellDrawn(step: LogitsProcessor, index: number, id: number, candidates?: CandidateSet): void {
  if (candidates === undefined || step.feedback === undefined) {
    tellStep(step, id, NOTHING_KNOWN);
    return;
  }
  const info = new DrawnInfo(() =>
    step.feedback === 'own' ? candidates.markedProbability(index, id) : candidates.probability(id),
  );
  try {
    tellStep(step, id, info);
  } finally {
    info.end();
  }
}

class DrawnInfo implements AcceptInfo {
  #read: (() => number | undefined) | undefined;

  constructor(read: () => number | undefined) {
    this.#read = read;
  }

  get probability(): number | undefined {
    if (this.#read !== undefined) return this.#read();
    throw new InvalidValueError('AcceptInfo', 'probability', 'read while `accept` runs', 'read afterwards');
  }

  /** The candidates are another token's from now on. */
  end(): void {
    this.#read = undefined;
  }
}
