/**
 * One group of a diverse beam search, g beams.
 *
 * A step takes max(2, 1 + number of end ids) * g continuations; those among the first g that an end id or a stop string ends join the ended
 * ones, of which the g best stay; the g best of the others go on. With g ended it is over: by `early_stopping` true at
 * once; else when the best continuation of the step, whether it ended or not, cannot beat the worst ended one
 * (`bestAttainable`). At the most tokens, beams of a group that is not over end too.
 */
import { type Ended, endedBy, type RowOf } from './beam-rules.js';
import { bestAttainable, type HfSettings } from './hf-rules.js';
import type { Hypothesis } from './hypothesis.js';

export class HfGroup {
  readonly #settings: HfSettings;
  readonly #ended: Ended[] = [];
  #live: readonly Hypothesis[];
  #isOver = false;

  constructor(settings: HfSettings, root: Hypothesis) {
    this.#settings = settings;
    this.#live = [root];
  }

  get live(): readonly Hypothesis[] {
    return this.#live;
  }

  /** In the order in which they ended. */
  get ended(): readonly Ended[] {
    return this.#ended;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Extends every live beam; the ids that it goes on with. */
  advance(rowOf: RowOf): number[] {
    const { numBeams, endIds, endOf, choose } = this.#settings;
    const rows = this.#live.map((beam) => rowOf(beam));
    const chosen = choose(rows, Math.max(2, 1 + endIds.length) * numBeams);
    const going = chosen.filter((beam) => endOf(beam) === undefined).slice(0, numBeams);
    for (const beam of chosen.slice(0, numBeams)) {
      const by = endOf(beam);
      if (by !== undefined) this.#end(endedBy(beam, by, this.#settings.scoreOf));
    }
    this.#isOver = going.length === 0 || this.#isDone(chosen[0] as Hypothesis);
    this.#live = this.#isOver ? [] : this.#limit(going);
    return going.map((beam) => beam.id);
  }

  #isDone(best: Hypothesis): boolean {
    const { numBeams, earlyStopping } = this.#settings;
    if (this.#ended.length < numBeams) return false;
    const worst = Math.min(...this.#ended.map(({ score }) => score));
    return earlyStopping === true || worst >= bestAttainable(best, this.#settings);
  }

  /** The beams that may go on; at the most tokens they end instead. */
  #limit(going: readonly Hypothesis[]): readonly Hypothesis[] {
    if ((going[0] as Hypothesis).length < this.#settings.maxTokens) return going;
    for (const beam of going) this.#end(endedBy(beam, undefined, this.#settings.scoreOf));
    this.#isOver = true;
    return [];
  }

  /** Joins the ended ones, if there is room or it beats the worst of them, which then goes; of equal ones the first. */
  #end(ended: Ended): void {
    if (this.#ended.length === this.#settings.numBeams) {
      const worst = Math.min(...this.#ended.map(({ score }) => score));
      if (!(ended.score > worst)) return;
      const first = this.#ended.findIndex(({ score }) => score === worst);
      this.#ended.splice(first, 1);
    }
    this.#ended.push(ended);
  }
}
