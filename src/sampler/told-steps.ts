/**
 * The steps of a request's chain, each told every id of the history once, though one of them may not accept an id.
 *
 * Steps that can go back (`save` and `restore`) are told first: when one throws, they are brought back to where the
 * history is, and nobody knows of the id. A step that cannot go back and was told of an id that a step behind it did not
 * accept is one id ahead of the history. It is not told again when that id comes after all, and nothing else may come.
 */
import type { JsonValue, LogitsProcessor } from '../../processors/contract.js';
import type { ProcessorChain } from '../chain/processor-chain.js';
import { tellStep } from '../chain/step-calls.js';
import { InvalidValueError } from '../errors.js';

export class ToldSteps {
  readonly #chain: ProcessorChain;
  /** The states after the first `length` ids of the output, to go back to. */
  readonly #states: readonly (JsonValue | undefined)[];
  readonly #length: number;
  readonly #reversible: readonly LogitsProcessor[];
  readonly #others: readonly LogitsProcessor[];
  /** Those that cannot go back and know of an id that the history does not hold. */
  readonly #ahead = new Set<LogitsProcessor>();
  #aheadBy = -1;

  /** @param length the ids of the output that the steps know of */
  constructor(chain: ProcessorChain, length: number) {
    this.#chain = chain;
    this.#states = chain.states();
    this.#length = length;
    const told = chain.steps.filter((step) => step.accept !== undefined);
    const canGoBack = (step: LogitsProcessor) =>
      step.restore !== undefined && this.#states[chain.steps.indexOf(step)] !== undefined;
    this.#reversible = told.filter(canGoBack);
    this.#others = told.filter((step) => !canGoBack(step));
  }

  /** Refuses, naming `owner`, to go on while a step is ahead of the history, unless by the `id` that it knows of. */
  check(owner: string, id?: number): void {
    const [step] = this.#ahead;
    if (step === undefined || id === this.#aheadBy) return;
    const domain = `able to go back (\`save\` and \`restore\`), as it was told of id ${this.#aheadBy}, which another step did not accept`;
    throw new InvalidValueError(owner, step.name, domain, 'a step that cannot');
  }

  /** Tells the steps that `id` comes after `output`. Where one throws, nothing has come. */
  accept(id: number, output: readonly number[]): void {
    try {
      for (const step of this.#reversible) tellStep(step, id);
      for (const step of this.#others) this.#tell(step, id);
    } catch (error) {
      this.#chain.rewind(this.#states, output.slice(this.#length));
      throw error;
    }
    this.#ahead.clear();
  }

  #tell(step: LogitsProcessor, id: number): void {
    if (this.#ahead.has(step)) return;
    tellStep(step, id);
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
