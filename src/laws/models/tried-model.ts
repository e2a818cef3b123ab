/**
 * A model under trial: sequences of random ids, rows to compare, and the largest difference that was seen.
 */
import type { CheckedModel } from '../../model/checked-model.js';
import type { CheckedSession } from '../../model/checked-session.js';
import { Pcg32 } from '../../random/pcg32.js';
import { demand } from '../law-error.js';

export class TriedModel {
  readonly model: CheckedModel;
  /** How many ids the sequences have, at least 4. */
  readonly length: number;
  /** The largest difference between two logits that should be the same. */
  largestDifference = 0;
  readonly #random: Pcg32;
  readonly #most: number;
  readonly #open = new Set<CheckedSession>();

  /** @param most the largest difference that is taken, 0 for a model that is exact */
  constructor(model: CheckedModel, length: number, seed: number, most: number) {
    this.model = model;
    this.length = length;
    this.#random = new Pcg32(seed, 7);
    this.#most = most;
  }

  /** Random ids, the begin token first where there is one. */
  ids(count = this.length): number[] {
    const { vocabSize, beginId } = this.model;
    return Array.from({ length: count }, (_, i) =>
      i === 0 && beginId !== undefined ? beginId : this.#random.below(vocabSize),
    );
  }

  async open(): Promise<CheckedSession> {
    const session = await this.model.open();
    this.#open.add(session);
    return session;
  }

  async fork(session: CheckedSession): Promise<CheckedSession> {
    const fork = (await (session.fork as NonNullable<CheckedSession['fork']>)()) as CheckedSession;
    this.#open.add(fork);
    return fork;
  }

  async close(session: CheckedSession): Promise<void> {
    this.#open.delete(session);
    await session.close();
  }

  /** Closes what a law left open. */
  async closeAll(): Promise<void> {
    for (const session of [...this.#open]) await this.close(session);
  }

  /** The logits after `ids` in `session`, copied. */
  async append(session: CheckedSession, ids: readonly number[]): Promise<Float32Array> {
    return Float32Array.from(await session.append(ids));
  }

  /** The logits after `ids`, appended at once to a session of their own. */
  async after(ids: readonly number[]): Promise<Float32Array> {
    const session = await this.open();
    const row = await this.append(session, ids);
    await this.close(session);
    return row;
  }

  /** Demands that `found` is `expected`, to the bit where the model is exact. */
  demandSame(found: ArrayLike<number>, expected: ArrayLike<number>, when: string): void {
    for (let id = 0; id < expected.length; id++) {
      const [x, y] = [found[id] as number, expected[id] as number];
      if (Object.is(x, y)) continue;
      demand(this.#most > 0, () => `the logit of id ${id} is ${x} and not ${y} ${when}`);
      const difference = Math.abs(x - y);
      demand(difference <= this.#most, () => `the logit of id ${id} is ${x} and about ${y} was expected ${when}`);
      this.largestDifference = Math.max(this.largestDifference, difference);
    }
  }
}
