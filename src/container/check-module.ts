/**
 * Modules from outside: of inversify 8, as containers are.
 */
import type { ContainerModule } from 'inversify';
import { InvalidValueError } from '../errors.js';
import { hasFunction } from '../kinds.js';
import { INSTALL } from '../request/check-container.js';

/** Refuses, naming `owner` and `name`, what is no module of inversify 8. */
export function checkModule(owner: string, name: string, value: unknown): asserts value is ContainerModule {
  if (hasFunction(value, 'load')) return;
  const mend = hasFunction(value, 'registry') || hasFunction(value, 'asyncRegistry') ? `; ${INSTALL}` : '';
  throw new InvalidValueError(owner, name, `a ContainerModule of inversify 8${mend}`, value);
}
