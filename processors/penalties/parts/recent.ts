/**
 * What the penalties over the last ids of a text have in common.
 */

import type { History } from '../../contract.js';
import { checkWithin, idList } from '../../masks/parts/ids.js';
import { flag } from '../../schema.js';
import * as z from '../../zod.js';

/** Which ids of the text count. */
export const recentFields = {
  /** Whether those of the prompt do. */
  prompt: z._default(flag(), true),
  /** Those that are never penalized, such as ends of turns. */
  exempt_ids: z.optional(idList()),
};

/** The ids that count, the newest last. */
export function countedText(history: History, withPrompt: boolean): readonly number[] {
  return withPrompt ? history.sequence : history.output;
}

/** `exempt_ids` as a set. */
export class Exempt {
  readonly #ids: readonly number[];
  readonly #set: ReadonlySet<number>;
  readonly #owner: string;

  constructor(ids: readonly number[] | undefined, owner: string) {
    this.#ids = ids ?? [];
    this.#set = new Set(ids);
    this.#owner = owner;
  }

  /** Refuses ids that are not below V. */
  check(vocabSize: number): void {
    checkWithin(this.#ids, vocabSize, this.#owner, 'exempt_ids');
  }

  has(id: number): boolean {
    return this.#set.has(id);
  }
}
