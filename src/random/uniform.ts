/**
 * Uniforms from any source, each looked at before it is used.
 */
import { InvalidValueError } from '../errors.js';
import { hasFunction } from '../kinds.js';
import type { UniformSource } from './pcg32.js';

/** Refuses, naming `owner` and `name`, what gives no uniforms. */
export function checkSource(owner: string, name: string, source: unknown): asserts source is UniformSource {
  if (hasFunction(source, 'uniform')) return;
  throw new InvalidValueError(owner, name, 'a source of uniforms (an object with `uniform`)', source);
}

/** Whether `u` is a number in [0, 1). */
export function isUniform(u: unknown): u is number {
  return typeof u === 'number' && u >= 0 && u < 1;
}

/** The refusal, naming `owner`, of what a source of uniforms gave. */
export function refuseUniform(owner: string, u: unknown): InvalidValueError {
  return new InvalidValueError(owner, 'uniform()', 'a source of numbers in [0, 1)', u);
}

/** The next uniform of `source`; refuses, naming `owner`, what is no number in [0, 1). */
export function drawUniform(source: UniformSource, owner: string): number {
  const u: unknown = source.uniform();
  if (isUniform(u)) return u;
  throw refuseUniform(owner, u);
}
