/**
 * What a step of a chain must be: what the contract says of a processor, checked before anything is run.
 */
import type { LogitsProcessor } from '../../processors/contract.js';
import { isProcessorName, NO_USE, PROCESSOR_NAME } from '../../processors/processor-name.js';
import { InvalidValueError } from '../errors.js';
import { readArray, refused } from '../inputs.js';

type Check = readonly [part: keyof LogitsProcessor, domain: string, fits: (value: unknown) => boolean];

/** The parts that a step may leave out. */
const PARTS: readonly Check[] = [
  ['stage', '`scores` or `policy`', (stage) => stage === 'scores' || stage === 'policy'],
  ['active', 'true or false', (active) => typeof active === 'boolean'],
  ['draws', 'an integer >= 0', (draws) => Number.isInteger(draws) && (draws as number) >= 0],
  [
    'options',
    'a plain object',
    (options) => typeof options === 'object' && options !== null && !Array.isArray(options),
  ],
  ['version', 'a non-empty string', (version) => typeof version === 'string' && version !== ''],
  ['leavesOne', 'true or false', (leavesOne) => typeof leavesOne === 'boolean'],
  ['feedback', '`drawn` or `own`', (feedback) => feedback === 'drawn' || feedback === 'own'],
  ['only', 'a function', isFunction],
  ['budget', 'a function', isFunction],
  ['report', 'a function', isFunction],
  ['accept', 'a function', isFunction],
  ['save', 'a function', isFunction],
  ['restore', 'a function', isFunction],
];

/** Refuses, in the name of `owner`, what is no processor. */
export function checkStep(step: LogitsProcessor, index: number, owner = 'ProcessorChain'): void {
  const at = `steps[${index}]`;
  const valid = typeof step === 'object' && step !== null;
  if (!valid || typeof step.name !== 'string' || typeof step.process !== 'function') {
    throw new InvalidValueError(owner, at, 'a processor (an object with `name` and `process`)', step);
  }
  if (!isProcessorName(step.name)) throw new InvalidValueError(owner, `${at}.name`, PROCESSOR_NAME, step.name);
  for (const [part, domain, fits] of PARTS) {
    const value = step[part];
    if (value !== undefined && !fits(value)) throw new InvalidValueError(owner, `${at}.${part}`, domain, value);
  }
  if (step.feedback !== undefined && step.accept === undefined) {
    throw new InvalidValueError(owner, `${at}.accept`, 'a function, as `feedback` is told to it', step.accept);
  }
  if (step.options !== undefined && 'use' in step.options) {
    throw new InvalidValueError(owner, `${at}.options.use`, NO_USE, step.options.use);
  }
}

/** The processors in an array from outside. */
export function readSteps(owner: string, name: string, value: unknown): LogitsProcessor[] {
  return readArray(owner, name, 'an array of processors', value, (step, i) => {
    try {
      checkStep(step as LogitsProcessor, i, owner);
    } catch (cause) {
      throw refused(owner, `${name}[${i}]`, step, cause);
    }
    return step as LogitsProcessor;
  });
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}
