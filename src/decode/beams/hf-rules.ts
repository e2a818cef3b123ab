/**
 * Hugging Face's beam search and beam sampling, k beams.
 *
 * A step takes max(2, 1 + number of end ids) * k continuations, so that k of them can go on whatever ends. Those among
 * the first k that end (an end id, a stop string, or the most tokens) join the ended ones, of which the k best by score stay; the k best
 * of the others live on. With k ended it is over: by `early_stopping` true at once; by false when the best living beam,
 * its logprob divided by its length now, is not above the worst ended one, which a longer sequence could still beat where
 * the penalty is above 0; by "never" the same, but divided by the greatest length where the penalty is above 0.
 * Differs from it: where fewer than k continuations are allowed there are fewer beams. There, rows of logprob -1e9 fill up;
 * they go on, end in end ids like others, count among the k that have ended, and can be returned, so that a search with
 * `early_stopping` true can be over before a sequence that the model allows was tried (V = 2, one of them the end id,
 * 3 beams). Here only what the processors allow is a sequence and ends. A stop string counts as an end, but there is no room
 * made for it as for each end id: where all that a step takes ends in stop strings, the search is over.
 * Source: transformers 5.24.0, generation/utils.py, `_beam_search`.
 */
import { type BeamRules, byScore, type Ended, endedBy, type RowOf, type RuleSettings } from './beam-rules.js';
import { Hypothesis } from './hypothesis.js';

export type EarlyStopping = boolean | 'never';

export interface HfSettings extends RuleSettings {
  readonly earlyStopping: EarlyStopping;
  readonly lengthPenalty: number;
}

export class HfRules implements BeamRules {
  readonly #settings: HfSettings;
  #live: readonly Hypothesis[] = [Hypothesis.empty()];
  #ended: readonly Ended[] = [];

  constructor(settings: HfSettings) {
    this.#settings = settings;
  }

  get live(): readonly Hypothesis[] {
    return this.#live;
  }

  get ended(): readonly Ended[] {
    return this.#ended;
  }

  advance(rowOf: RowOf): void {
    const { numBeams, endIds, choose } = this.#settings;
    const rows = this.#live.map((beam) => rowOf(beam));
    const chosen = choose(rows, Math.max(2, 1 + endIds.length) * numBeams);
    const going = chosen.filter((beam) => !this.#ends(beam)).slice(0, numBeams);
    const stopped = chosen.slice(0, numBeams).filter((beam) => this.#ends(beam));
    this.#ended = byScore([...this.#ended, ...stopped.map((beam) => this.#end(beam))]).slice(0, numBeams);
    this.#live = this.#goesOn(going) ? going : [];
  }

  #ends(beam: Hypothesis): boolean {
    return this.#settings.endOf(beam) !== undefined || beam.length === this.#settings.maxTokens;
  }

  #end(hypothesis: Hypothesis): Ended {
    const { endOf, scoreOf } = this.#settings;
    return endedBy(hypothesis, endOf(hypothesis), scoreOf);
  }

  #goesOn(going: readonly Hypothesis[]): boolean {
    const [best] = going;
    const { numBeams, earlyStopping } = this.#settings;
    if (best === undefined) return false;
    if (this.#ended.length < numBeams) return true;
    return earlyStopping !== true && bestAttainable(best, this.#settings) > (this.#ended.at(-1) as Ended).score;
  }
}

/** The score that a search takes for the best that a beam can still come to. */
export function bestAttainable(beam: Hypothesis, settings: HfSettings): number {
  const { earlyStopping, lengthPenalty, maxTokens, scoreOf } = settings;
  const length = earlyStopping === 'never' && lengthPenalty > 0 ? maxTokens : beam.length;
  return scoreOf(beam.logprob, length);
}
