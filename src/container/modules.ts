/**
 * The modules that make up a container.
 */
import { ContainerModule } from 'inversify';
import { type ProcessorClass, processorInfo } from '../../processors/contract.js';
import { PROCESSORS } from '../../processors/list.js';
import { construct, unknownProcessor } from '../chain/make-processor.js';
import { shippedParts } from '../request/parts.js';
import { processorToken, TOKENS } from '../request/tokens.js';

/** Registers processor classes by the names of their `@processor`; a name that is taken is replaced. */
export function processorModule(...classes: readonly ProcessorClass[]): ContainerModule {
  for (const target of classes) processorInfo(target); // refused here, not when a container is made
  return new ContainerModule(({ bind, isBound, rebind }) => {
    for (const target of classes) {
      const { name } = processorInfo(target);
      const token = processorToken(name);
      if (isBound(token)) {
        rebind(token).toConstantValue((options: object) => construct(target, options));
      } else {
        bind(token).toConstantValue((options: object) => construct(target, options));
        bind(TOKENS.processorName).toConstantValue(name);
      }
    }
  });
}

/** Everything that Lockstep ships. */
export function coreModules(): ContainerModule[] {
  const { numerics, uniforms } = shippedParts();
  const parts = new ContainerModule(({ bind }) => {
    bind(TOKENS.numerics).toConstantValue(numerics);
    bind(TOKENS.uniforms).toConstantValue(uniforms);
    bind(TOKENS.makeProcessor).toDynamicValue((context) => (name, options) => {
      const token = processorToken(name);
      const factory = context.get(token, { optional: true });
      if (factory === undefined) throw unknownProcessor(name, context.getAll(TOKENS.processorName));
      return factory(options);
    });
  });
  return [parts, processorModule(...PROCESSORS)];
}
