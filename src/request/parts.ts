/**
 * The parts that a request is put together from, in one plain object: those that Lockstep ships, or those of a container.
 */
import type { Container } from 'inversify';
import type { Token } from '../../processors/tokens.js';
import type { ProcessorMaker } from '../chain/chain-data.js';
import { makeProcessor } from '../chain/registry.js';
import { defaultNumerics } from '../numerics/default-numerics.js';
import type { Numerics } from '../numerics/numerics.js';
import { stream } from '../random/pcg32.js';
import { containerRefusal } from './container-refusal.js';
import { plainInjector, type RequestThings } from './request-things.js';
import { PARTS, type UniformFactory } from './tokens.js';

export interface Parts {
  /** exp, log and sums. */
  readonly numerics: Numerics;
  /** The uniforms of a seed. */
  readonly uniforms: UniformFactory;
  /** Processors by name, for a request that has these things. */
  makerFor(things: RequestThings): ProcessorMaker;
}

let shipped: Parts | undefined;

/** What Lockstep ships: the exact numerics, the sample stream of PCG32, the processors of the list. */
export function shippedParts(): Parts {
  shipped ??= Object.freeze({
    numerics: defaultNumerics(),
    uniforms: (seed) => stream(seed, 'sample'),
    makerFor: (things) => {
      const injector = plainInjector(things);
      return (name, options) => makeProcessor(name, options, injector);
    },
  } satisfies Parts);
  return shipped;
}

/** The parts of `container`; without one those that Lockstep ships, which a container holds until a module replaces them. */
export function partsOf(container: Container | undefined): Parts {
  if (container === undefined) return shippedParts();
  return {
    numerics: partOf(container, PARTS.numerics),
    uniforms: partOf(container, PARTS.uniforms),
    makerFor: (things) => {
      const make = partOf(container, PARTS.makeProcessor);
      const injector = partOf(container, PARTS.openInjector)(container, things);
      return (name, options) => make(name, options, injector);
    },
  };
}

function partOf<T>(container: Container, token: Token<T>): T {
  try {
    return container.get(token);
  } catch (error) {
    throw containerRefusal('createContainer', token, error);
  }
}
