/**
 * The one place where a model from outside enters: every way of decoding calls it through here.
 *
 * Its fields are checked when decoding begins, what its sessions give as it comes. The same is done for tokenizers in
 * `CheckedTokenizer`.
 */
import { InvalidValueError } from '../errors.js';
import { checkId, readIds } from '../inputs.js';
import { hasFunction, isInstance } from '../kinds.js';
import { afterwards } from './afterwards.js';
import { type CheckedSession, checkedSession } from './checked-session.js';
import { checkedId } from './identity.js';
import type { Awaitable, LanguageModel } from './language-model.js';

export class CheckedModel implements LanguageModel {
  readonly vocabSize: number;
  readonly contextLength: number;
  readonly beginId: number | undefined;
  readonly endIds: readonly number[];
  readonly sessionsRunAtOnce: boolean;
  readonly exact: boolean;
  readonly #given: LanguageModel;
  readonly #owner: string;

  /**
   * Throws InvalidValueError, naming `owner` and the field, for what is no model.
   * @param name the parameter that it is given as
   */
  constructor(owner: string, given: LanguageModel, name = 'model') {
    if (!hasFunction(given, 'open')) {
      throw new InvalidValueError(owner, name, 'a LanguageModel (with `vocabSize`, `open`, …)', given);
    }
    this.vocabSize = checkCount(owner, `${name}.vocabSize`, given.vocabSize);
    this.contextLength = checkCount(owner, `${name}.contextLength`, given.contextLength);
    this.beginId = given.beginId ?? undefined;
    if (this.beginId !== undefined) checkId(owner, `${name}.beginId`, this.beginId, this.vocabSize);
    this.endIds = checkEndIds(owner, `${name}.endIds`, given.endIds, this.vocabSize);
    this.sessionsRunAtOnce = checkFlag(owner, `${name}.sessionsRunAtOnce`, given.sessionsRunAtOnce);
    this.exact = checkFlag(owner, `${name}.exact`, given.exact);
    this.#given = given;
    this.#owner = owner;
  }

  /** Read from the given model only when it is needed: it may be a hash that takes time to compute. */
  get id(): string | undefined {
    return checkedId(this.#owner, 'model.id', this.#given.id);
  }

  open(): Awaitable<CheckedSession> {
    return afterwards(this.#given.open(), (session) => checkedSession(session, this.vocabSize, 0));
  }
}

/** `given` as a model that is checked; what is so already comes back as it is. */
export function checkedModel(owner: string, given: LanguageModel, name?: string): CheckedModel {
  return isInstance(given, CheckedModel) ? given : new CheckedModel(owner, given, name);
}

function checkCount(owner: string, name: string, value: unknown): number {
  if (Number.isSafeInteger(value) && (value as number) >= 1) return value as number;
  throw new InvalidValueError(owner, name, 'an integer >= 1', value);
}

function checkFlag(owner: string, name: string, value: unknown): boolean {
  if (value === undefined || typeof value === 'boolean') return value ?? false;
  throw new InvalidValueError(owner, name, 'true, false or absent', value);
}

function checkEndIds(owner: string, name: string, given: unknown, vocabSize: number): readonly number[] {
  return Object.freeze(readIds(owner, name, given, vocabSize));
}
