/**
 * mu, the largest surprise that mirostat lets through, in bits: it follows what was drawn.
 */
import { log2 } from '../../../src/numerics/log2.js';
import { type AcceptInfo, InvalidValueError, type JsonValue } from '../../contract.js';
import { toldProbability } from './told-probability.js';

interface MirostatOptions {
  readonly tau: number;
  readonly eta: number;
}

export class Mu {
  readonly #owner: string;
  readonly #options: MirostatOptions;
  #value: number;

  /** @param owner whom to name when something is refused */
  constructor(owner: string, options: MirostatOptions) {
    this.#owner = owner;
    this.#options = options;
    this.#value = 2 * options.tau;
  }

  get value(): number {
    return this.#value;
  }

  /**
   * mu = mu - eta (S - tau), with S = -log2 q of the id that came. Of an id whose q is not known nothing is learned, nor of
   * one with q = 0, which can only have been forced.
   */
  learn(id: number, info: AcceptInfo | undefined): void {
    const q = toldProbability(this.#owner, id, info);
    if (q === undefined || q === 0) return;
    const { tau, eta } = this.#options;
    this.#value -= eta * (-log2(q) - tau);
  }

  save(): JsonValue {
    return this.#value;
  }

  restore(state: JsonValue): void {
    if (typeof state !== 'number' || !Number.isFinite(state)) {
      throw new InvalidValueError(this.#owner, 'state', 'a finite number, as `save` gave it', state);
    }
    this.#value = state;
  }
}
