/**
 * A container with everything bound, and the modules of a user loaded after: they add processors or replace parts.
 *
 * Modules are loaded before the first resolution, so load them here and not later.
 */
import { Container, type ContainerModule } from 'inversify';
import { checkModule } from './check-module.js';
import { coreModules } from './modules.js';

export function createContainer(...modules: readonly ContainerModule[]): Container {
  for (const [i, module] of modules.entries()) checkModule('createContainer', `modules[${i}]`, module);
  const container = new Container();
  for (const module of [...coreModules(), ...modules]) container.load(module);
  return container;
}
