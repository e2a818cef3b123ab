/**
 * The spec's beam search.
 *
 * Of all continuations of the live beams the best are kept, as many as there are beams without those that ended; one
 * that an end id or a stop string ends has ended and leaves the beams. It is over when none lives or at the most tokens, where those
 * that live end too. The first step has one beam, the empty one, so that no two are equal.
 * One beam is greedy search, but that logits count as equal where score + lp is, rounded to float64.
 * Source: docs/SPEC.md, "Beam search".
 */
import { type BeamRules, byScore, type Ended, endedBy, type RowOf, type RuleSettings } from './beam-rules.js';
import { Hypothesis } from './hypothesis.js';

export class SpecRules implements BeamRules {
  readonly #settings: RuleSettings;
  readonly #ended: Ended[] = [];
  #live: readonly Hypothesis[] = [Hypothesis.empty()];

  constructor(settings: RuleSettings) {
    this.#settings = settings;
  }

  get live(): readonly Hypothesis[] {
    return this.#live;
  }

  get ended(): readonly Ended[] {
    return byScore(this.#ended);
  }

  advance(rowOf: RowOf): void {
    const { numBeams, maxTokens, endOf, scoreOf, choose } = this.#settings;
    const rows = this.#live.map((beam) => rowOf(beam));
    const kept = choose(rows, numBeams - this.#ended.length);
    this.#live = kept.filter((beam) => endOf(beam) === undefined && beam.length < maxTokens);
    for (const beam of kept) {
      const by = endOf(beam);
      if (by !== undefined || beam.length === maxTokens) this.#ended.push(endedBy(beam, by, scoreOf));
    }
  }
}
