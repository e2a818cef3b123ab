/**
 * Processors by name: what a chain as data is made from, with a container and without.
 */
import type { LogitsProcessor } from '../../processors/contract.js';
import { PROCESSORS } from '../../processors/list.js';
import { type ProcessorClass, processorInfo } from '../../processors/processor.js';
import type { Tokenizer } from '../../processors/tokenizer.js';
import { type GrammarSteps, type Injection, ifGiven, TOKENS } from '../../processors/tokens.js';
import { InvalidValueError } from '../errors.js';
import { type Injector, injected, NOTHING } from './inject.js';

/** How a processor is made. */
export interface ProcessorEntry {
  /** The name in chains as data, kebab-case. */
  readonly name: string;
  /** As in `ProcessorInfo`. */
  readonly inject?: readonly Injection[];
  /** A step of that name, from its options, which are checked here, and from what `inject` asks for. */
  make(options: object, ...injected: never[]): LogitsProcessor;
}

/** Constrained decoding: its engine is big, so that the grammars of the request make the step, and no class here does. */
const GRAMMAR: ProcessorEntry = {
  name: 'grammar',
  inject: [TOKENS.grammars, ifGiven(TOKENS.tokenizer)],
  make: (options: object, grammars: GrammarSteps, tokenizer?: Tokenizer) => grammars.step(options, tokenizer),
};

/** The entry of a class that carries its name. */
export function entryOf(target: ProcessorClass): ProcessorEntry {
  const { name, inject = [] } = processorInfo(target);
  return { name, inject, make: (options, ...given) => new target(options as never, ...given) };
}

/** Everything that Lockstep ships. */
export const SHIPPED: readonly ProcessorEntry[] = Object.freeze([...PROCESSORS.map(entryOf), GRAMMAR]);

const BY_NAME: ReadonlyMap<string, ProcessorEntry> = new Map(SHIPPED.map((entry) => [entry.name, entry]));

/** The step that `entry` makes, given what it asks `injector` for. */
export function makeEntry(entry: ProcessorEntry, options: object, injector: Injector): LogitsProcessor {
  return entry.make(options, ...(injected(entry.name, entry.inject ?? [], injector) as never[]));
}

/** One of the processors that Lockstep ships; without `injector` for no request. */
export function makeProcessor(name: string, options: object, injector = NOTHING): LogitsProcessor {
  const entry = BY_NAME.get(name);
  if (entry === undefined) throw unknownProcessor(name, [...BY_NAME.keys()]);
  return makeEntry(entry, options, injector);
}

/** The error for a name that no processor has. */
export function unknownProcessor(name: string, known: readonly string[]): InvalidValueError {
  return new InvalidValueError('ProcessorChain', 'use', `one of ${known.join(', ')}`, name);
}
