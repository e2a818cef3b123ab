/**
 * The uniforms of a request, drawn token by token: what was drawn for a token that is then refused is drawn first by the next one.
 */
import type { UniformSource } from '../random/pcg32.js';
import { isUniform, refuseUniform } from '../random/uniform.js';

export class TokenUniforms {
  readonly #source: UniformSource;
  /** Drawn for a token that was then refused; used first. */
  readonly #returned: number[] = [];
  /** Drawn for the token under way: the first `drawn`. It is never made shorter, so that a token allocates nothing. */
  readonly #current: number[] = [];
  #drawn = 0;
  #draws: number;

  /** @param draws uniforms drawn before */
  constructor(source: UniformSource, draws: number) {
    this.#source = source;
    this.#draws = draws;
  }

  /** Uniforms drawn so far. */
  get draws(): number {
    return this.#draws;
  }

  /** Uniforms drawn for the token under way. */
  get drawn(): number {
    return this.#drawn;
  }

  /** The next one. Refuses, naming `owner`, what is no uniform; it stays the next one: the stream is where it was. */
  draw(owner: string): number {
    const u: unknown = this.#returned.length > 0 ? this.#returned.shift() : this.#source.uniform();
    if (!isUniform(u)) {
      this.#returned.unshift(u as number);
      throw refuseUniform(owner, u);
    }
    this.#current[this.#drawn++] = u;
    this.#draws++;
    return u;
  }

  /** The token under way has ended: what was drawn for it stays drawn. */
  keep(): void {
    this.#drawn = 0;
  }

  /** The token under way was refused: what was drawn for it comes again. */
  giveBack(): void {
    this.#draws -= this.#drawn;
    this.#returned.unshift(...this.#current.slice(0, this.#drawn));
    this.#drawn = 0;
  }
}
