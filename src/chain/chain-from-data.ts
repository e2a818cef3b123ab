/**
 * Builds a chain from data.
 */
import type { LogitsProcessor } from '../../processors/contract.js';
import { TAP } from '../../processors/processor-name.js';
import { InvalidValueError } from '../errors.js';
import { show } from '../show.js';
import type { ChainData, ChainStepData, ProcessorMaker } from './chain-data.js';
import { ProcessorChain } from './processor-chain.js';

/** The chain that `data` describes. Throws InvalidValueError for an entry that is none. */
export function chainFromData(data: ChainData, make: ProcessorMaker): ProcessorChain {
  if (!Array.isArray(data)) throw new InvalidValueError('ProcessorChain', 'chain', 'an array of steps', data);
  const entries = data as ChainData;
  entries.forEach(checkEntry);
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

function checkEntry(entry: unknown, index: number): void {
  if (typeof entry !== 'object' || entry === null || typeof (entry as ChainStepData).use !== 'string') {
    throw new InvalidValueError('ProcessorChain', `chain[${index}]`, 'an object with `use`, a processor name', entry);
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
}
