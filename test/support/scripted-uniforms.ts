import { type Container, ContainerModule } from 'inversify';
import { createContainer, PARTS } from '../../src/container/index.js';
import type { UniformSource } from '../../src/random/index.js';

/** Gives the uniforms of a script and no more. */
export class ScriptedUniforms implements UniformSource {
  taken = 0;

  constructor(readonly script: readonly number[]) {}

  uniform(): number {
    const u = this.script[this.taken];
    if (u === undefined) throw new Error(`uniform ${this.taken + 1} of ${this.script.length} asked for`);
    this.taken++;
    return u;
  }
}

/** A container whose requests draw from `current()`. */
export function drawingFrom(current: () => UniformSource): Container {
  const module = new ContainerModule(({ rebind }) => {
    rebind(PARTS.uniforms).toConstantValue(current);
  });
  return createContainer(module);
}
