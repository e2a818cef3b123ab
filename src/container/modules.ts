/**
 * The modules that make up a container.
 */
import { ContainerModule, type ResolutionContext } from 'inversify';
import type { ProcessorClass } from '../../processors/processor.js';
import { isProcessorName, PROCESSOR_NAME } from '../../processors/processor-name.js';
import type { Injector } from '../chain/inject.js';
import { entryOf, makeEntry, type ProcessorEntry, SHIPPED, unknownProcessor } from '../chain/registry.js';
import { InvalidValueError } from '../errors.js';
import { hasFunction } from '../kinds.js';
import { shippedParts } from '../request/parts.js';
import { PARTS, type ProcessorFactory, processorToken } from '../request/tokens.js';
import { openInjector, valueIn } from './request-child.js';

/**
 * Registers processors: classes by the names of their `@processor`, and what makes others by their own. A name that is taken
 * is replaced.
 */
export function processorModule(...processors: readonly (ProcessorClass | ProcessorEntry)[]): ContainerModule {
  const entries = processors.map(readEntry); // refused here, not when a container is made
  return new ContainerModule(({ bind, isBound, rebind }) => {
    for (const entry of entries) {
      const token = processorToken(entry.name);
      const isNew = !isBound(token);
      (isNew ? bind(token) : rebind(token)).toDynamicValue((context) => factoryOf(entry, context));
      if (isNew) bind(PARTS.processorName).toConstantValue(entry.name);
    }
  });
}

function readEntry(given: ProcessorClass | ProcessorEntry): ProcessorEntry {
  if (typeof given === 'function' || !hasFunction(given, 'make')) return entryOf(given as ProcessorClass);
  if (isProcessorName(given.name)) return given;
  throw new InvalidValueError('processorModule', 'name', PROCESSOR_NAME, given.name);
}

/** What is made for no request is given what the container itself holds. */
function factoryOf(entry: ProcessorEntry, context: ResolutionContext): ProcessorFactory {
  const own: Injector = { get: (token, processor) => valueIn(context, token, processor) };
  return (options, injector = own) => makeEntry(entry, options, injector);
}

/** Everything that Lockstep ships. */
export function coreModules(): ContainerModule[] {
  const { numerics, uniforms } = shippedParts();
  const parts = new ContainerModule(({ bind }) => {
    bind(PARTS.numerics).toConstantValue(numerics);
    bind(PARTS.uniforms).toConstantValue(uniforms);
    bind(PARTS.openInjector).toConstantValue(openInjector);
    bind(PARTS.makeProcessor).toDynamicValue((context) => (name, options, injector) => {
      const factory = valueIn(context, processorToken(name), 'createContainer');
      if (factory === undefined) throw unknownProcessor(name, context.getAll(PARTS.processorName));
      return factory(options, injector);
    });
  });
  return [parts, processorModule(...SHIPPED)];
}
