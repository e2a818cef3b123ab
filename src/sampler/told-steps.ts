/**
 * The steps of a request's chain, each told every id of the history once, though one of them may not accept an id.
 *
 * Steps that can go back (`save` and `restore`) are told first: when one throws, they are brought back to where the
 * history is, and nobody knows of the id. A step that cannot go back and was told of an id that a step behind it did not
 * accept is one id ahead of the history. It is not told again when that id comes after all, and nothing else may come.
 *
 * To bring a step back is to restore the state that it had and to tell it again what came since. A step with `feedback` would
 * be told less the second time, so its state is taken before every id.
 */
import type { JsonValue, LogitsProcessor } from '../../processors/contract.js';
import type { CandidateSet } from '../candidates/candidate-set.js';
import type { ProcessorChain } from '../chain/processor-chain.js';
import { restoreStep, saveStep } from '../chain/step-calls.js';
import { tellDrawn } from '../chain/tell-drawn.js';
import { InvalidValueError } from '../errors.js';

const NO_STATES: readonly (JsonValue | undefined)[] = [];

export class ToldSteps {
  readonly #chain: ProcessorChain;
  /** The states after the first `length` ids of the output, to go back to; undefined for those that are taken anew. */
  readonly #states: readonly (JsonValue | undefined)[];
  /** Those that can go back, but not by being told again. */
  readonly #learning: readonly LogitsProcessor[];
  readonly #length: number;
  readonly #reversible: readonly LogitsProcessor[];
  readonly #others: readonly LogitsProcessor[];
  /** Those that cannot go back and know of an id that the history does not hold. */
  readonly #ahead = new Set<LogitsProcessor>();
  #aheadBy = -1;

  /** @param length the ids of the output that the steps know of */
  constructor(chain: ProcessorChain, length: number) {
    this.#chain = chain;
    const states = chain.states();
    this.#length = length;
    const told = chain.steps.filter((step) => step.accept !== undefined);
    const canGoBack = (step: LogitsProcessor) =>
      step.restore !== undefined && states[chain.steps.indexOf(step)] !== undefined;
    this.#reversible = told.filter(canGoBack);
    this.#others = told.filter((step) => !canGoBack(step));
    this.#learning = this.#reversible.filter((step) => step.feedback !== undefined);
    this.#states = states.map((state, i) => (chain.steps[i]?.feedback === undefined ? state : undefined));
  }

  /** Refuses, naming `owner`, to go on while a step is ahead of the history, unless by the `id` that it knows of. */
  check(owner: string, id?: number): void {
    if (this.#ahead.size === 0 || id === this.#aheadBy) return;
    const [step] = this.#ahead as Set<LogitsProcessor> & Iterable<LogitsProcessor>;
    if (step === undefined) return;
    const domain = `able to go back (\`save\` and \`restore\`), as it was told of id ${this.#aheadBy}, which another step did not accept`;
    throw new InvalidValueError(owner, step.name, domain, 'a step that cannot');
  }

  /**
   * Tells the steps that `id` comes after `output`. Where one throws, nothing has come.
   * @param candidates what the id was drawn from, if it was
   */
  accept(id: number, output: readonly number[], candidates?: CandidateSet): void {
    const before = this.#learning.length === 0 ? NO_STATES : this.#learning.map(saveStep);
    try {
      for (const step of this.#reversible) this.#tell(step, id, candidates);
      for (const step of this.#others) this.#tellOnce(step, id, candidates);
    } catch (error) {
      this.#chain.rewind(this.#states, output.slice(this.#length));
      this.#learning.forEach((step, i) => {
        restoreStep(step, before[i] as JsonValue);
      });
      throw error;
    }
    if (this.#ahead.size > 0) this.#ahead.clear();
  }

  #tell(step: LogitsProcessor, id: number, candidates: CandidateSet | undefined): void {
    tellDrawn(step, this.#chain.steps.indexOf(step), id, candidates);
  }

  #tellOnce(step: LogitsProcessor, id: number, candidates: CandidateSet | undefined): void {
    if (this.#ahead.has(step)) return;
    this.#tell(step, id, candidates);
    this.#ahead.add(step);
    this.#aheadBy = id;
  }
}

/** Tells the steps of a request that begins after `ids`. Where one throws, those that can go back are as they came. */
export function tellHistory(chain: ProcessorChain, ids: readonly number[]): void {
  const states = chain.states();
  try {
    for (const id of ids) chain.accept(id);
  } catch (error) {
    chain.rewind(states, []);
    throw error;
  }
}
