/**
 * The typed tokens under which a container holds the parts of samplers. To replace a part, rebind its token in a module of
 * your own. What a request has, and a processor may be given, has its tokens beside the contract: `TOKENS`.
 */
import type { History, LogitsProcessor } from '../../processors/contract.js';
import { type Token, token } from '../../processors/tokens.js';
import type { ProcessorMaker } from '../chain/chain-data.js';
import type { Injector } from '../chain/inject.js';
import { InvalidValueError } from '../errors.js';
import type { Numerics } from '../numerics/numerics.js';
import type { UniformSource } from '../random/pcg32.js';
import type { Seed } from '../random/seed.js';
import type { OpenInjector } from './request-things.js';

/** Makes a processor from its options, which it checks, and from what its request has. */
export type ProcessorFactory = (options: object, injector?: Injector) => LogitsProcessor;

/** Gives the uniforms of a request's seed. */
export type UniformFactory = (seed: Seed) => UniformSource;

export const PARTS = Object.freeze({
  /** exp, log and sums. Default: exact. */
  numerics: token<Numerics>('lockstep.numerics'),
  /** The uniforms of a seed. Default: the sample stream of PCG32. */
  uniforms: token<UniformFactory>('lockstep.uniforms'),
  /** The name of each registered processor, one binding each. */
  processorName: token<string>('lockstep.processor-name'),
  /** Processors by name. */
  makeProcessor: token<ProcessorMaker>('lockstep.make-processor'),
  /** Opens the child container of a request, for what is to be injected. */
  openInjector: token<OpenInjector>('lockstep.open-injector'),
  /** In the child container of a request that samples: its history. A beam search has none, as each beam has its own. */
  history: token<History>('lockstep.history'),
  /** In the child container of a request that samples: its uniforms. What takes one makes the request another one. */
  requestUniforms: token<UniformSource>('lockstep.request-uniforms'),
});

/** The token of one processor: a factory from its options. */
export function processorToken(name: string): Token<ProcessorFactory> {
  if (typeof name !== 'string') throw new InvalidValueError('processorToken', 'name', 'a string', name);
  return token<ProcessorFactory>(`lockstep.processor.${name}`);
}
