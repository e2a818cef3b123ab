/**
 * The parts that a request is put together from, in one plain object: those that Lockstep ships, or those of a container.
 */
import type { Container } from 'inversify';
import type { ProcessorMaker } from '../chain/chain-data.js';
import { makeProcessor } from '../chain/make-processor.js';
import { defaultNumerics } from '../numerics/default-numerics.js';
import type { Numerics } from '../numerics/numerics.js';
import { stream } from '../random/pcg32.js';
import { TOKENS, type UniformFactory } from './tokens.js';

export interface Parts {
  /** exp, log and sums. */
  readonly numerics: Numerics;
  /** The uniforms of a seed. */
  readonly uniforms: UniformFactory;
  /** Processors by name. */
  readonly makeProcessor: ProcessorMaker;
}

let shipped: Parts | undefined;

/** What Lockstep ships: the exact numerics, the sample stream of PCG32, the processors of the list. */
export function shippedParts(): Parts {
  shipped ??= Object.freeze({
    numerics: defaultNumerics(),
    uniforms: (seed) => stream(seed, 'sample'),
    makeProcessor,
  } satisfies Parts);
  return shipped;
}

/** The parts of `container`; without one those that Lockstep ships, which a container holds until a module replaces them. */
export function partsOf(container: Container | undefined): Parts {
  if (container === undefined) return shippedParts();
  return {
    numerics: container.get(TOKENS.numerics),
    uniforms: container.get(TOKENS.uniforms),
    makeProcessor: container.get(TOKENS.makeProcessor),
  };
}
