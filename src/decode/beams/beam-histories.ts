/**
 * The history of each live beam, as processors see it. A beam continues the history of its parent. A second beam of the same
 * parent gets a history that no beam uses any more, cut back to where the two differ and filled up from there, so that no
 * whole list of ids is copied.
 */
import { TokenHistory } from '../../sampler/token-history.js';
import type { Hypothesis } from './hypothesis.js';

export class BeamHistories {
  readonly #prompt: readonly number[];
  #held = new Map<Hypothesis, TokenHistory>();

  constructor(prompt: readonly number[]) {
    this.#prompt = prompt;
  }

  /** The history behind `beam`, which `follow` was told of or is the empty one; valid until the next `follow`. */
  of(beam: Hypothesis): TokenHistory {
    const history = this.#held.get(beam) ?? this.#begin(beam);
    this.#held.set(beam, history);
    return history;
  }

  /** Brings the histories to the beams of `live`. */
  follow(live: readonly Hypothesis[]): void {
    const free = this.#held;
    const held = new Map<Hypothesis, TokenHistory>();
    for (const beam of live) {
      const history = beam.parent === undefined ? undefined : free.get(beam.parent);
      if (history === undefined) continue;
      free.delete(beam.parent as Hypothesis);
      history.accept(beam.id);
      held.set(beam, history);
    }
    for (const beam of live) if (!held.has(beam)) held.set(beam, this.#bring(beam, free));
    this.#held = held;
  }

  /** The history of `free` that is nearest, brought to `beam`. */
  #bring(beam: Hypothesis, free: Map<Hypothesis, TokenHistory>): TokenHistory {
    let nearest: Hypothesis | undefined;
    let most = -1;
    for (const at of free.keys()) {
      const shared = at.sharedLength(beam);
      if (shared > most) [nearest, most] = [at, shared];
    }
    const history = nearest && free.get(nearest);
    if (history === undefined) return this.#begin(beam);
    free.delete(nearest as Hypothesis);
    history.truncate(most);
    for (const id of beam.slice(most, beam.length)) history.accept(id);
    return history;
  }

  #begin(beam: Hypothesis): TokenHistory {
    return new TokenHistory(this.#prompt, beam.ids);
  }
}
