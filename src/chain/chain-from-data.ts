/**
 * Builds a chain from data.
 */
import type { LogitsProcessor } from '../../processors/contract.js';
import { TAP } from '../../processors/processor-name.js';
import { InvalidValueError } from '../errors.js';
import { readArray, readable } from '../inputs.js';
import { isArray, isPlainObject } from '../kinds.js';
import { show } from '../show.js';
import { type ChainData, type ChainStepData, MOST_STEPS, type ProcessorMaker } from './chain-data.js';
import { ProcessorChain } from './processor-chain.js';

/** The chain that `data` describes. Throws InvalidValueError for an entry that is none. */
export function chainFromData(data: ChainData, make: ProcessorMaker): ProcessorChain {
  if (readable('ProcessorChain', 'chain', data, () => isArray(data) && data.length > MOST_STEPS)) {
    throw new InvalidValueError('ProcessorChain', 'chain', `an array of at most ${MOST_STEPS} steps`, data);
  }
  const entries: ChainData = readArray('ProcessorChain', 'chain', 'an array of steps', data, checkEntry);
  const marks = entries.filter((entry) => entry.use === TAP);
  if (marks.length > 1) throw new InvalidValueError('ProcessorChain', TAP, 'marked once', `${marks.length} marks`);
  const steps = entries.flatMap((entry, i) => (entry.use === TAP ? [] : [stepOf(entry, i, make)]));
  const tap = entries.findIndex((entry) => entry.use === TAP);
  return new ProcessorChain(steps, tap < 0 ? {} : { tap });
}

/** Refuses a processor of another name than the entry says: the chain as data would be another one. */
function stepOf({ use, ...options }: ChainStepData, index: number, make: ProcessorMaker): LogitsProcessor {
  const step = make(use, options);
  if (step?.name === use) return step;
  const domain = `the name of the processor that it makes, ${show(step?.name)}`;
  throw new InvalidValueError('ProcessorChain', `chain[${index}].use`, domain, use);
}

/** A copy of an entry. */
function checkEntry(given: unknown, index: number): ChainStepData {
  const name = `chain[${index}]`;
  const entry = isPlainObject(given) ? readable('ProcessorChain', name, given, () => ({ ...given })) : {};
  if (typeof entry.use !== 'string') {
    throw new InvalidValueError('ProcessorChain', name, 'an object with `use`, a processor name', given);
  }
  const { use, ...options } = entry as ChainStepData;
  const [extra] = Object.keys(options);
  if (use === TAP && extra !== undefined) {
    throw new InvalidValueError(
      'ProcessorChain',
      `chain[${index}].${extra}`,
      'absent beside `logprobs`',
      options[extra],
    );
  }
  return entry as ChainStepData;
}
