/**
 * A chain of processors in any order, for experiments.
 *
 * It runs the steps one after another on one set of candidates, marks where logprobs are defined, and passes accepted
 * ids and saved states through. A step that settles the token ends the chain. For the spec's order, see `SpecChain`.
 */
import type { JsonValue, LogitsProcessor, StepContext } from '../../processors/contract.js';
import { TAP } from '../../processors/processor-name.js';
import type { CandidateSet } from '../candidates/candidate-set.js';
import type { Scores } from '../candidates/scores.js';
import { InvalidValueError } from '../errors.js';
import { checkFunction, checkId, readArray, readable, readIds } from '../inputs.js';
import { hasFunction, isArray, isObject } from '../kinds.js';
import { anyField } from '../options/fields.js';
import { optionsOf } from '../options/options-of.js';
import type { ChainData } from './chain-data.js';
import { readSteps } from './check-step.js';
import { fingerprint } from './fingerprint.js';
import { onlyOf, processStep, reportOf, restoreStep, saveStep, tellBudget, tellStep } from './step-calls.js';
import { hasState } from './step-owners.js';
import { NOTHING_KNOWN, tellDrawn } from './tell-drawn.js';

export interface ChainOptions {
  /**
   * Logprobs are those of the candidates before the step at this index; in [0, steps]. Default: before the first step
   * of stage `policy`, so after the penalties, biases and masks that the chain begins with.
   */
  readonly tap?: number;
}

const CHAIN_OPTIONS = optionsOf<ChainOptions>({ tap: anyField }); // how many steps there are is known later

/** Called after each step that ran, with its index. */
export type StepObserver = (index: number, step: LogitsProcessor) => void;

export class ProcessorChain {
  readonly steps: readonly LogitsProcessor[];
  /** Logprobs are defined before the step at this index. */
  readonly tap: number;

  constructor(steps: readonly LogitsProcessor[], options: ChainOptions = {}) {
    const { tap } = CHAIN_OPTIONS.check('ProcessorChain', options);
    const own = readSteps('ProcessorChain', 'steps', steps);
    checkOnce(own);
    this.steps = Object.freeze(own);
    this.tap = tap === undefined ? defaultTap(own) : tap;
    if (!(Number.isInteger(this.tap) && this.tap >= 0 && this.tap <= own.length)) {
      throw new InvalidValueError('ProcessorChain', 'tap', `an integer in [0, ${own.length}]`, tap);
    }
  }

  /** Uniforms that the steps draw for every token; the draw of the token itself is one more, unless a step settles it. */
  get draws(): number {
    return this.steps.reduce((sum, step) => sum + (isActive(step) ? (step.draws ?? 0) : 0), 0);
  }

  /** Runs the steps on loaded candidates; the scores that logprobs are read from. */
  process(candidates: CandidateSet, context: StepContext, observer?: StepObserver): Scores {
    checkRun(candidates, context, observer);
    this.#run(candidates, context, 0, this.tap, observer);
    const scores = candidates.tapScores();
    this.#run(candidates, context, this.tap, this.steps.length, observer);
    return scores;
  }

  /** Runs the steps before the tap only: the candidates are then the scores. */
  score(candidates: CandidateSet, context: StepContext): Scores {
    checkRun(candidates, context, undefined);
    this.#run(candidates, context, 0, this.tap);
    return candidates.tapScores();
  }

  /**
   * The id of `vocabSize` that comes next whatever the logits, with a logprob of 0: a step of stage `scores` before the tap
   * leaves it alone, and no step looks at logits where one id is left. Undefined where the logits decide, or might.
   */
  only(vocabSize: number): number | undefined {
    checkId('ProcessorChain', 'vocabSize', vocabSize);
    let only: number | undefined;
    for (const [i, step] of this.steps.entries()) {
      if (!isActive(step)) continue;
      const mayDecide = only === undefined && (i >= this.tap || step.stage !== 'scores');
      const looks = only === undefined && step.feedback === 'own'; // at logits, when it is told of the id
      if (step.leavesOne !== true || mayDecide || looks) return undefined;
      only ??= onlyOf(step, vocabSize);
    }
    return only;
  }

  /** Tells every step how many tokens may come at most. */
  budget(tokens: number): void {
    checkId('ProcessorChain', 'tokens', tokens);
    for (const step of this.steps) tellBudget(step, tokens);
  }

  /**
   * What the steps have to say of the text, each under its name, the second of one name under `name 2` and so on; undefined
   * where none has anything.
   */
  reports(): Record<string, JsonValue> | undefined {
    return this.#byName(reportOf);
  }

  /** The versions of what is behind the steps, under their names as in `reports`; undefined where none has one. */
  versions(): Record<string, string> | undefined {
    return this.#byName(({ version }) => version);
  }

  /**
   * Tells every step that `id` entered the history.
   * @param candidates what the id was drawn from, as this chain left it; absent where it was not drawn
   */
  accept(id: number, candidates?: CandidateSet): void {
    checkId('ProcessorChain', 'id', id);
    if (candidates !== undefined) checkCandidates(candidates);
    this.steps.forEach((step, index) => {
      tellDrawn(step, index, id, candidates);
    });
  }

  /** The state of each step; null for one that has none. */
  save(): JsonValue[] {
    return this.steps.map((step) => {
      if (step.accept !== undefined && (step.save === undefined || step.restore === undefined)) {
        throw new InvalidValueError('ProcessorChain', step.name, 'able to save and restore, as it has a state', step);
      }
      return saveStep(step) ?? null;
    });
  }

  /** The state of each step as it can give it; undefined for one that cannot. */
  states(): (JsonValue | undefined)[] {
    return this.steps.map(saveStep);
  }

  /** Brings each step that can back to the state that `states` gave, and on over `ids`. */
  rewind(states: readonly (JsonValue | undefined)[], ids: readonly number[]): void {
    const before = readStates(states, this.steps.length);
    const own = readIds('ProcessorChain', 'ids', ids);
    this.steps.forEach((step, i) => {
      const state = before[i];
      if (state === undefined || step.restore === undefined) return;
      restoreStep(step, state);
      for (const id of own) tellStep(step, id, NOTHING_KNOWN);
    });
  }

  /** Takes over the states that `save` of a chain with the same steps gave. */
  restore(states: readonly JsonValue[]): void {
    const own = readStates(states, this.steps.length);
    for (const [i, step] of this.steps.entries()) checkState(step, own[i] as JsonValue, i);
    this.steps.forEach((step, i) => {
      restoreStep(step, own[i] as JsonValue);
    });
  }

  /** The chain as data: one object a step, and a mark where logprobs are defined. */
  toData(): ChainData {
    const data = this.steps.map((step) => ({ use: step.name, ...step.options }));
    return [...data.slice(0, this.tap), { use: TAP }, ...data.slice(this.tap)];
  }

  /**
   * SHA-256 of the chain as data, 64 hexadecimal digits: equal for chains of the same steps and options in the same order.
   * Where steps have versions, of `{ chain, versions }`. Throws for a step with an option that JSON does not hold.
   */
  fingerprint(): string {
    const [chain, versions] = [this.toData(), this.versions()];
    return fingerprint(versions === undefined ? chain : { chain, versions }, 'chain');
  }

  /** What `of` gives for the steps, by their names, the second of one name under `name 2`; undefined for nothing of any. */
  #byName<T>(of: (step: LogitsProcessor) => T | undefined): Record<string, T> | undefined {
    const found = new Map<string, T>();
    const count = new Map<string, number>();
    for (const step of this.steps) {
      const nth = (count.get(step.name) ?? 0) + 1;
      count.set(step.name, nth);
      const value = of(step);
      if (value !== undefined) found.set(nth === 1 ? step.name : `${step.name} ${nth}`, value);
    }
    return found.size === 0 ? undefined : Object.fromEntries(found);
  }

  #run(candidates: CandidateSet, context: StepContext, from: number, to: number, observer?: StepObserver): void {
    for (let i = from; i < to && candidates.settled === undefined; i++) {
      const step = this.steps[i] as LogitsProcessor;
      if (!isActive(step)) continue;
      if (step.feedback === 'own') candidates.mark(i);
      processStep(this.steps, i, candidates, context);
      observer?.(i, step);
    }
  }
}

/** Whether `value` is a chain, of whatever realm or copy of this package. */
export function isChain(value: unknown): value is ProcessorChain {
  const methods = ['process', 'score', 'accept', 'save', 'restore', 'toData'];
  return methods.every((method) => hasFunction(value, method));
}

/** The parts of a run are looked at once a token. */
function checkRun(candidates: unknown, context: unknown, observer: unknown): void {
  checkCandidates(candidates);
  if (!isObject(context)) throw new InvalidValueError('ProcessorChain', 'context', 'a StepContext', context);
  if (observer !== undefined) checkFunction('ProcessorChain', 'observer', observer);
}

function checkCandidates(candidates: unknown): void {
  if (hasFunction(candidates, 'tapScores')) return;
  throw new InvalidValueError('ProcessorChain', 'candidates', 'a CandidateSet', candidates);
}

function readStates<S>(states: readonly S[], count: number): S[] {
  const domain = `an array of ${count} states`;
  const isOfAll = readable('ProcessorChain', 'states', states, () => isArray(states) && states.length === count);
  if (!isOfAll) throw new InvalidValueError('ProcessorChain', 'states', domain, states);
  return readArray('ProcessorChain', 'states', domain, states, (state) => state as S);
}

function isActive(step: LogitsProcessor): boolean {
  return step.active !== false;
}

function defaultTap(steps: readonly LogitsProcessor[]): number {
  const first = steps.findIndex((step) => step.stage !== 'scores');
  return first < 0 ? steps.length : first;
}

/** Refuses a step with a state that stands twice in the chain: it would be told every id twice. */
function checkOnce(steps: readonly LogitsProcessor[]): void {
  const twice = steps.findIndex((step, i) => hasState(step) && steps.indexOf(step) !== i);
  if (twice < 0) return;
  const domain = 'in the chain once, as it has a state';
  throw new InvalidValueError('ProcessorChain', `steps[${twice}]`, domain, (steps[twice] as LogitsProcessor).name);
}

/** A state goes to a step that takes it. */
function checkState(step: LogitsProcessor, state: JsonValue, index: number): void {
  if (state === null || step.restore !== undefined) return;
  throw new InvalidValueError('ProcessorChain', `states[${index}]`, `null (${step.name} has no state)`, state);
}
