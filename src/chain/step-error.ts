/**
 * Errors thrown in a step, with the step's name and its place in the chain.
 */
import { InvalidValueError } from '../errors.js';

/** Who refuses what a step asks of its candidates: the step is meant. */
const OF_CANDIDATES: readonly string[] = ['CandidateSet', 'Scores'];

/**
 * What to throw for `thrown`. A refusal of the candidates is said of the step `name`, one with an owner of its own keeps it,
 * and both get the place; the refusal itself is the cause. An error of another kind is thrown as it is; its cause, where it
 * has none, says the step.
 */
export function placed(thrown: unknown, name: string, place: string): unknown {
  try {
    return withPlace(thrown, name, place);
  } catch {
    return thrown; // it does not let itself be looked at
  }
}

function withPlace(thrown: unknown, name: string, place: string): unknown {
  if (thrown instanceof InvalidValueError) {
    if (thrown.place !== undefined) return thrown;
    return thrown.at(OF_CANDIDATES.includes(thrown.owner) ? name : thrown.owner, place);
  }
  if (thrown instanceof Error && thrown.cause === undefined && Object.isExtensible(thrown)) {
    const cause = new Error(`thrown in ${name} (${place})`);
    Object.defineProperty(thrown, 'cause', { value: cause, configurable: true, writable: true });
  }
  return thrown;
}
