import type { Candidates, JsonValue, LogitsProcessor } from '../../../processors/index.js';

/** A step with a state that the history alone does not give away at a glance: an id that came twice in a row is banned. */
export class RunCounter implements LogitsProcessor {
  readonly name = 'run-counter';
  readonly stage = 'scores';
  readonly options = {};
  #last = -1;
  #length = 0;

  process(candidates: Candidates): void {
    if (this.#length >= 2 && candidates.has(this.#last)) candidates.setLogit(this.#last, -Infinity);
  }

  accept(id: number): void {
    this.#length = id === this.#last ? this.#length + 1 : 1;
    this.#last = id;
  }

  save(): JsonValue {
    return [this.#last, this.#length];
  }

  restore(state: JsonValue): void {
    [this.#last, this.#length] = state as [number, number];
  }
}
