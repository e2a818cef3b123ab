/**
 * Whether an error says that a processor left no candidate: a beam then has no continuation, which ends it and nothing
 * else.
 */
import { InvalidValueError } from '../../errors.js';

/** What the refusals of masks and bans have in common. */
const PHRASE = 'at least one of the kept ids';

export function leavesNothing(error: unknown): boolean {
  if (!(error instanceof InvalidValueError)) return false;
  if (error.domain.includes(PHRASE)) return true;
  if (error.owner !== 'CandidateSet') return false;
  return error.parameter === 'keep' || (error.parameter === 'value' && error.value === -Infinity);
}
