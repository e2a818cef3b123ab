/**
 * Steps that a saved chain names and that cannot be made from data: the caller that restores it gives them.
 */
import type { LogitsProcessor } from '../../processors/contract.js';
import { InvalidValueError } from '../errors.js';
import type { ProcessorMaker } from './chain-data.js';
import { readSteps } from './check-step.js';

const OWNER = 'restoreSampler';

export class GivenSteps {
  readonly #left: LogitsProcessor[];
  readonly #make: ProcessorMaker;

  /**
   * @param steps of any names, in the order of the chain
   * @param make makes the steps that are not given
   */
  constructor(steps: readonly LogitsProcessor[], make: ProcessorMaker) {
    this.#left = readSteps(OWNER, 'steps', steps);
    this.#make = make;
  }

  /** The first step of that name that is left, or one that is made. */
  take(name: string, options: object): LogitsProcessor {
    const index = this.#left.findIndex((step) => step.name === name);
    if (index >= 0) return this.#left.splice(index, 1)[0] as LogitsProcessor;
    try {
      return this.#make(name, options);
    } catch (error) {
      throw isUnknown(error, name) ? orGiven(error) : error;
    }
  }

  /** Refuses steps that have no place in the chain. */
  checkUsed(): void {
    const [step] = this.#left;
    if (step !== undefined) throw new InvalidValueError(OWNER, 'steps', 'steps of the saved chain', step.name);
  }
}

/** Whether `error` says that no processor has the name `name`. */
function isUnknown(error: unknown, name: string): error is InvalidValueError {
  return error instanceof InvalidValueError && error.parameter === 'use' && error.value === name;
}

function orGiven({ owner, parameter, domain, value }: InvalidValueError): InvalidValueError {
  return new InvalidValueError(owner, parameter, `${domain}, or that of a step given in \`steps\``, value);
}
