/** A container with a processor of its own, as a user's module would export it. */
import { ContainerModule } from 'inversify';
import { createContainer, processorToken, TOKENS } from '../../dist/src/index.js';

const lastOnly = { name: 'last-only', process: (candidates) => candidates.keepWhere((i) => i === candidates.size - 1) };

export const container = createContainer(
  new ContainerModule(({ bind }) => {
    bind(processorToken('last-only')).toConstantValue(() => lastOnly);
    bind(TOKENS.processorName).toConstantValue('last-only');
  }),
);
