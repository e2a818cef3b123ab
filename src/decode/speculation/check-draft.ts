/**
 * What a draft and the distributions around it must be: with anything else, what is drawn no longer follows the target.
 */
import { InvalidValueError } from '../../errors.js';
import { readArray, readable } from '../../inputs.js';
import { hasFunction, isArray, isFloat64Array, isObject } from '../../kinds.js';
import type { DraftSession, DraftToken } from './draft.js';

/**
 * How far from 1 the probabilities may add up. A softmax in float32 over some 200,000 ids, summed naively, stays within it;
 * a distribution that is that far off moves no probability of the outcome by more.
 */
const SUM_BOUND = 1e-4;

/** Refuses, naming `owner`, what is no session of a drafter. */
export function checkSession(owner: string, session: DraftSession): void {
  if (hasFunction(session, 'propose') && hasFunction(session, 'accept')) return;
  throw new InvalidValueError(owner, 'open()', 'a session with `propose` and `accept`', session);
}

/** Refuses, naming `owner`, a draft of more than `count` ids, or one with a token that is none. */
export function checkBlock(owner: string, draft: readonly DraftToken[], count: number, vocabSize: number): void {
  if (!(isArray(draft) && readable(owner, 'draft', draft, () => draft.length <= count))) {
    throw new InvalidValueError(owner, 'draft', `an array of at most ${count} tokens`, draft);
  }
  readArray(owner, 'draft', 'an array', draft, (token, i) =>
    checkDraft(owner, `draft[${i}]`, token as DraftToken, vocabSize),
  );
}

/** Refuses, as `name` of `owner`, an id outside [0, V), a q that is no distribution over V ids, and an id without one. */
export function checkDraft(owner: string, name: string, draft: DraftToken, vocabSize: number): void {
  if (!isObject(draft)) {
    throw new InvalidValueError(owner, name, 'an object with an `id`, and the `q` that it was drawn from', draft);
  }
  const { id, q } = readable(owner, name, draft, () => ({ id: draft.id, q: draft.q }));
  if (!(Number.isInteger(id) && id >= 0 && id < vocabSize)) {
    throw new InvalidValueError(owner, `${name}.id`, `an integer in [0, ${vocabSize})`, id);
  }
  if (q === undefined) return;
  if (!(isFloat64Array(q) && q.length === vocabSize)) {
    throw new InvalidValueError(owner, `${name}.q`, `a Float64Array of ${vocabSize} probabilities`, q);
  }
  checkSum(owner, `${name}.q`, q);
  if (q[id] === 0) throw new InvalidValueError(owner, `${name}.q[${id}]`, 'above 0, as the id was drawn from it', 0);
}

/** Refuses, as `p` of `owner`, what is no distribution. */
export function checkTarget(owner: string, p: Float64Array): void {
  if (!(isFloat64Array(p) && p.length > 0)) {
    throw new InvalidValueError(owner, 'p', 'a Float64Array of at least one probability', p);
  }
  checkSum(owner, 'p', p);
}

function checkSum(owner: string, name: string, values: Float64Array): void {
  let sum = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (!(value >= 0 && value < Infinity)) throw new InvalidValueError(owner, `${name}[${i}]`, 'a probability', value);
    sum += value;
  }
  if (Math.abs(sum - 1) <= SUM_BOUND) return;
  throw new InvalidValueError(owner, name, `of the sum 1, to within ${SUM_BOUND}`, sum);
}
