/**
 * Standard normals from uniforms, by the method of Box and Muller (1958), with our own log, sin and cos.
 *
 * Two uniforms give two normals: u1, u2, r = sqrt(-2 ln(1 - u1)); r cos(2 pi u2) now, r sin(2 pi u2) the next time.
 * Source: docs/SPEC.md, "PCG32 and streams". Not used by the sampling steps; the same bits in every engine, but not those of
 * a libm whose sin and cos are not correctly rounded.
 */
import { log } from '../numerics/log.js';
import { cosine, sine } from '../numerics/sincos.js';
import type { UniformSource } from './pcg32.js';
import { checkSource, drawUniform } from './uniform.js';

const OWNER = 'NormalSource';
const TWO_PI = 6.283185307179586;

export class NormalSource {
  readonly #uniforms: UniformSource;
  #spare: number | undefined;

  constructor(uniforms: UniformSource) {
    checkSource(OWNER, 'uniforms', uniforms);
    this.#uniforms = uniforms;
  }

  /** The next standard normal: two uniforms every other call. */
  normal(): number {
    const spare = this.#spare;
    if (spare !== undefined) {
      this.#spare = undefined;
      return spare;
    }
    const u1 = drawUniform(this.#uniforms, OWNER);
    const angle = TWO_PI * drawUniform(this.#uniforms, OWNER);
    const r = Math.sqrt(-2 * log(1 - u1));
    this.#spare = r * sine(angle);
    return r * cosine(angle);
  }
}
