/**
 * What speculation came to: how many drafted ids were accepted, and how often the target was asked.
 */
import type { Verdict } from './verify.js';

/** Counts of a run so far. The tokens of the run, an end id among them, are accepted + resampled + bonus + undrafted. */
export interface SpeculationStatistics {
  /** Ids proposed. */
  readonly drafted: number;
  /** Of them, those verified: none after a rejection or the end of the text. */
  readonly verified: number;
  readonly accepted: number;
  /** Tokens in the place of a rejected draft. */
  readonly resampled: number;
  /** Tokens sampled after a draft that was accepted in full. */
  readonly bonus: number;
  /** Tokens sampled where nothing had been drafted. */
  readonly undrafted: number;
  /** Calls of the target for a block; those that only take in the prompt are not counted. */
  readonly targetCalls: number;
  /** accepted / drafted; 0 where nothing was drafted. */
  readonly acceptanceRate: number;
  /** Tokens for each call; 0 before the first. */
  readonly tokensPerCall: number;
}

export class SpeculationCounter {
  #drafted = 0;
  #accepted = 0;
  #resampled = 0;
  #bonus = 0;
  #undrafted = 0;
  #targetCalls = 0;

  addDraft(length: number): void {
    this.#drafted += length;
  }

  addCall(): void {
    this.#targetCalls++;
  }

  addVerdict({ isAccepted }: Verdict): void {
    if (isAccepted) this.#accepted++;
    else this.#resampled++;
  }

  /** A token sampled after a draft of `length` ids. */
  addSample(length: number): void {
    if (length > 0) this.#bonus++;
    else this.#undrafted++;
  }

  snapshot(): SpeculationStatistics {
    const tokens = this.#accepted + this.#resampled + this.#bonus + this.#undrafted;
    return {
      drafted: this.#drafted,
      verified: this.#accepted + this.#resampled,
      accepted: this.#accepted,
      resampled: this.#resampled,
      bonus: this.#bonus,
      undrafted: this.#undrafted,
      targetCalls: this.#targetCalls,
      acceptanceRate: this.#drafted === 0 ? 0 : this.#accepted / this.#drafted,
      tokensPerCall: this.#targetCalls === 0 ? 0 : tokens / this.#targetCalls,
    };
  }
}
