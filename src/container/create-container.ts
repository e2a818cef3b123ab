/**
 * A container with everything bound, and the modules of a user loaded after: they add processors or replace parts.
 *
 * Modules are loaded before the first resolution, so load them here and not later.
 */
import { Container, type ContainerModule } from 'inversify';
import { checkModule } from './check-container.js';
import { coreModules } from './modules.js';

export function createContainer(...modules: readonly ContainerModule[]): Container {
  for (const [i, module] of modules.entries()) checkModule('createContainer', `modules[${i}]`, module);
  const container = new Container();
  for (const module of [...coreModules(), ...modules]) container.load(module);
  return container;
}

let shared: Container | undefined;

/** The container of those who name none: without modules of a user, made once. */
export function defaultContainer(): Container {
  shared ??= createContainer();
  return shared;
}
