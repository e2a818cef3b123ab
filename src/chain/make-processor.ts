/**
 * Processors by name, from the classes that carry them.
 */
import { type LogitsProcessor, type ProcessorClass, processorInfo } from '../../processors/contract.js';
import { PROCESSORS } from '../../processors/list.js';
import { InvalidValueError } from '../errors.js';

/** Builds a processor of `target` from options that its constructor checks. */
export function construct(target: ProcessorClass, options: object): LogitsProcessor {
  return new (target as new (options: object) => LogitsProcessor)(options);
}

/** The error for a name that no processor has. */
export function unknownProcessor(name: string, known: readonly string[]): InvalidValueError {
  return new InvalidValueError('ProcessorChain', 'use', `one of ${known.join(', ')}`, name);
}

/** One of the processors that Lockstep ships. */
export function makeProcessor(name: string, options: object): LogitsProcessor {
  const target = PROCESSORS.find((candidate) => processorInfo(candidate).name === name);
  if (target === undefined) {
    throw unknownProcessor(
      name,
      PROCESSORS.map((candidate) => processorInfo(candidate).name),
    );
  }
  return construct(target, options);
}
