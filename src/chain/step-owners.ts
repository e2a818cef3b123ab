/**
 * Who has a step with a state: one request at a time.
 *
 * Such a step is told the ids of its request. If it were told those of another request too, its state would be right for
 * neither. So a request takes its steps, and a step that another request has is refused. To save and restore it at each
 * token instead is not possible for every step, and a grammar would read its whole text again each time.
 */
import type { LogitsProcessor } from '../../processors/contract.js';
import { InvalidValueError } from '../errors.js';

const taken = new WeakSet<LogitsProcessor>();

/** Whether `step` is told the ids of its request. State moves in `accept` only. */
export function hasState(step: LogitsProcessor): boolean {
  return step.accept !== undefined;
}

/** Refuses, naming `owner`, a step with a state that another request has. */
export function checkFree(owner: string, steps: readonly LogitsProcessor[]): void {
  const step = steps.find((candidate) => taken.has(candidate));
  if (step === undefined) return;
  const domain = 'a step of this request alone, as it has a state (make one for each request)';
  throw new InvalidValueError(owner, step.name, domain, 'a step that another request has');
}

/** Takes the steps with a state for one request, for good or until `giveBackSteps`; none of them where one is refused. */
export function takeSteps(owner: string, steps: readonly LogitsProcessor[]): void {
  checkFree(owner, steps);
  for (const step of steps) if (hasState(step)) taken.add(step);
}

/** Lets others have the steps that a request took and left as they came. */
export function giveBackSteps(steps: readonly LogitsProcessor[]): void {
  for (const step of steps) taken.delete(step);
}
