/** Scripted uniforms, and a count of those taken. */
import type { UniformSource } from '../../src/random/pcg32.js';

export class Scripted implements UniformSource {
  readonly #script: readonly number[];
  /** Uniforms taken so far. */
  taken = 0;

  constructor(script: readonly number[]) {
    this.#script = script;
  }

  uniform(): number {
    const u = this.#script[this.taken];
    if (u === undefined) throw new Error(`the script has ${this.#script.length} uniforms, and one more was asked for`);
    this.taken++;
    return u;
  }
}
