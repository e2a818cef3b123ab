/**
 * Containers from outside: of inversify 8, which another major version in the user's project cannot replace.
 */
import type { Container } from 'inversify';
import { readable } from '../inputs.js';
import { hasFunction } from '../kinds.js';
import { type Field, field } from '../options/options-of.js';
import { PARTS } from './tokens.js';

/** What to do about a container or a module of another version. */
export const INSTALL = 'this one is of another version: npm install inversify@8';
/** What each request asks a container for. */
const NEEDED = [PARTS.numerics, PARTS.uniforms, PARTS.makeProcessor, PARTS.openInjector];

/** The container that parts come from. */
export const containerField: Field = field(domainOf, isContainer);

/** Whether `value` is a container with the parts of Lockstep. */
export function isContainer(value: unknown): value is Container {
  if (isOld(value) || !hasFunction(value, 'get') || !hasFunction(value, 'isBound')) return false;
  return readable('Container', 'container', value, () => NEEDED.every((part) => (value as Container).isBound(part)));
}

function domainOf(value: unknown): string {
  return `a container that \`createContainer\` made${isOld(value) ? `; ${INSTALL}` : ''}`;
}

/** Containers had children of their own making until inversify 6. */
function isOld(value: unknown): boolean {
  return hasFunction(value, 'createChild');
}
