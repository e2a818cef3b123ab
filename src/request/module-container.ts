/**
 * The container that a module of the user's own exports.
 */
import type { Container } from 'inversify';
import { InvalidValueError } from '../errors.js';
import { isContainer } from './check-container.js';

/** `container` of the exports of a module. Refuses, naming `owner`, a module without one; `address` is where it came from. */
export function containerOf(owner: string, exports: object, address: string): Container {
  const { container } = exports as { readonly container?: unknown };
  if (isContainer(container)) return container;
  const names = Object.keys(exports).sort().join(', ') || 'nothing';
  const domain = `a module that exports a \`container\` of \`createContainer\`, under this name (it exports ${names})`;
  throw new InvalidValueError(owner, 'module', domain, address);
}
