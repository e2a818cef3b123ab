/**
 * The calls of a step: what it throws says which step it was, and a promise in the place of an answer is refused.
 */
import type { AcceptInfo, Candidates, JsonValue, LogitsProcessor, StepContext } from '../../processors/contract.js';
import { InvalidValueError } from '../errors.js';
import { placed } from './step-error.js';

/** Runs the step at `index` of `steps` on the candidates. What it throws is said of it, and of its place. */
export function processStep(
  steps: readonly LogitsProcessor[],
  index: number,
  candidates: Candidates,
  context: StepContext,
): void {
  const step = steps[index] as LogitsProcessor;
  try {
    refusePromise(step, 'process', 'as the candidates are lent for the call', step.process(candidates, context));
  } catch (error) {
    throw placed(error, step.name, `step ${index + 1} of ${steps.length}`);
  }
}

/** The id that `step` leaves alone, whatever the logits; undefined where it does not know one. */
export function onlyOf(step: LogitsProcessor, vocabSize: number): number | undefined {
  const only: unknown = step.only?.(vocabSize);
  refusePromise(step, 'only', 'as the token follows at once', only);
  if (only === undefined || (Number.isInteger(only) && (only as number) >= 0 && (only as number) < vocabSize)) {
    return only as number | undefined;
  }
  throw new InvalidValueError(step.name, 'only', `an integer in [0, ${vocabSize}), or undefined`, only);
}

/** Tells `step` how many tokens may come. */
export function tellBudget(step: LogitsProcessor, tokens: number): void {
  refusePromise(step, 'budget', 'as the first token follows at once', step.budget?.(tokens));
}

/** What `step` has to say of the text; undefined for nothing. */
export function reportOf(step: LogitsProcessor): JsonValue | undefined {
  const report = step.report?.();
  refusePromise(step, 'report', 'as it is of the text of now', report);
  return report;
}

/** Tells `step` that `id` entered the history, and what is known of it. */
export function tellStep(step: LogitsProcessor, id: number, info: AcceptInfo): void {
  refusePromise(step, 'accept', 'as the next token follows at once', step.accept?.(id, info));
}

/** The state of `step`; undefined where it has none to give. */
export function saveStep(step: LogitsProcessor): JsonValue | undefined {
  const state = step.save?.();
  refusePromise(step, 'save', 'as the state is that of now', state);
  return state;
}

/** Brings `step` to a state that it gave. */
export function restoreStep(step: LogitsProcessor, state: JsonValue): void {
  refusePromise(step, 'restore', 'as the next token follows at once', step.restore?.(state));
}

/** Refuses the answer of an asynchronous step; a later rejection of it is not reported. */
function refusePromise(step: LogitsProcessor, method: string, why: string, answer: unknown): void {
  if (typeof (answer as PromiseLike<unknown> | undefined | null)?.then !== 'function') return;
  Promise.resolve(answer).catch(() => {});
  throw new InvalidValueError(step.name, method, `synchronous, ${why}`, answer);
}
