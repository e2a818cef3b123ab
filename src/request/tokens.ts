/**
 * The typed tokens under which the parts are bound. To replace a part, rebind its token in a module of your own.
 */
import type { ServiceIdentifier } from 'inversify';
import type { LogitsProcessor } from '../../processors/contract.js';
import type { ProcessorMaker } from '../chain/chain-data.js';
import { InvalidValueError } from '../errors.js';
import type { Numerics } from '../numerics/numerics.js';
import type { UniformSource } from '../random/pcg32.js';
import type { Seed } from '../random/seed.js';

/** Makes a processor from its options, which it checks. */
export type ProcessorFactory = (options: object) => LogitsProcessor;

/** Gives the uniforms of a request's seed. */
export type UniformFactory = (seed: Seed) => UniformSource;

export const TOKENS = Object.freeze({
  /** exp, log and sums. Default: exact. */
  numerics: Symbol.for('lockstep.numerics') as ServiceIdentifier<Numerics>,
  /** The uniforms of a seed. Default: the sample stream of PCG32. */
  uniforms: Symbol.for('lockstep.uniforms') as ServiceIdentifier<UniformFactory>,
  /** The name of each registered processor, one binding each. */
  processorName: Symbol.for('lockstep.processor-name') as ServiceIdentifier<string>,
  /** Processors by name. */
  makeProcessor: Symbol.for('lockstep.make-processor') as ServiceIdentifier<ProcessorMaker>,
});

/** The token of one processor: a factory from its options. */
export function processorToken(name: string): ServiceIdentifier<ProcessorFactory> {
  if (typeof name !== 'string') throw new InvalidValueError('processorToken', 'name', 'a string', name);
  return Symbol.for(`lockstep.processor.${name}`) as ServiceIdentifier<ProcessorFactory>;
}
