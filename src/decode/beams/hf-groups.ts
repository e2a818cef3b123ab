/**
 * Hugging Face's diverse beam search: groups of beams, each searching by itself, one after another within a step.
 *
 * Hamming diversity: a group takes `diversity_penalty` from the logprob of an id for each beam of an earlier group that
 * goes on with that id at this step; a group that is over counts as one whose beams all go on with the first end id (its
 * default padding). Groups are otherwise as `HfGroup` says. The sequences of all groups are ranked together, of equal
 * scores the later one first.
 * Differs from it: a sequence ends in the end id that ended it; there, the first end id is written in its place.
 * Source: transformers 4.56.2, the last release with it, `_group_beam_search` and `BeamSearchScorer`; Vijayakumar et al.
 * 2016, arXiv 1610.02424.
 */
import type { BeamRules, Ended, RowOf } from './beam-rules.js';
import { HfGroup } from './hf-group.js';
import type { HfSettings } from './hf-rules.js';
import { Hypothesis } from './hypothesis.js';

export class HfGroups implements BeamRules {
  readonly #groups: readonly HfGroup[];
  readonly #size: number;
  readonly #padding: number | undefined;

  /** `groups` groups that share `settings.numBeams` beams evenly. */
  constructor(settings: HfSettings, groups: number) {
    const root = Hypothesis.empty(); // one object, so that the model is asked once
    this.#size = settings.numBeams / groups;
    this.#padding = settings.endIds[0];
    const own = { ...settings, numBeams: this.#size };
    this.#groups = Array.from({ length: groups }, () => new HfGroup(own, root));
  }

  get live(): readonly Hypothesis[] {
    return [...new Set(this.#groups.flatMap((group) => group.live))];
  }

  get ended(): readonly Ended[] {
    const all = this.#groups.flatMap((group) => group.ended);
    return all.reverse().sort((a, b) => b.score - a.score);
  }

  advance(rowOf: RowOf): void {
    const used = new Map<number, number>();
    const use = (id: number, times: number) => used.set(id, (used.get(id) ?? 0) + times);
    for (const group of this.#groups) {
      if (group.isOver) {
        if (this.#padding !== undefined) use(this.#padding, this.#size);
        continue;
      }
      for (const id of group.advance((beam) => rowOf(beam, used))) use(id, 1);
    }
  }
}
