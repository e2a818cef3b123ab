/**
 * The spec's chain: the six mandated processors, locked into the mandated order.
 *
 * repetition-penalty, presence-frequency, logprobs, temperature, top-k, top-p, min-p, as processors/spec-steps.ts lists
 * them. A step whose parameter is off is skipped. Processors of stage `scores` (masks, biases) may go in front. Another
 * order is refused: `ProcessorChain` takes any.
 * Source: docs/SPEC.md, steps 2 to 8.
 */
import type { LogitsProcessor } from '../../processors/contract.js';
import type { ProcessorClass } from '../../processors/processor.js';
import { SPEC_STEPS } from '../../processors/spec-steps.js';
import { InvalidValueError } from '../errors.js';
import { readArray, readable } from '../inputs.js';
import { isArray } from '../kinds.js';
import { anyField, functionField, stepsField } from '../options/fields.js';
import { optionsOf } from '../options/options-of.js';
import { optionsOfStep, specStep } from '../params/policy-params.js';
import { type SamplingParams, type SamplingParamsInput, validate } from '../params/sampling-params.js';
import type { ProcessorMaker } from './chain-data.js';
import { ProcessorChain } from './processor-chain.js';

const STEPS = SPEC_STEPS.map(specStep);

/** How many of them change the scores: logprobs are defined behind these. */
const SCORES = STEPS.filter(({ stage }) => stage === 'scores').length;

/** The mandated order. */
export const SPEC_ORDER: readonly string[] = Object.freeze(STEPS.map(({ name }) => name));

export interface SpecChainOptions {
  /** Masks and biases on the raw logits, in front of the six; stage `scores` only. */
  readonly before?: readonly LogitsProcessor[];
  /** Only the mandated order is accepted; here so that asking for another one is answered. */
  readonly order?: readonly string[];
  /** Where the six come from. Default: the processors that Lockstep ships. */
  readonly make?: ProcessorMaker;
}

const SPEC_OPTIONS = optionsOf<SpecChainOptions>({
  before: stepsField,
  order: anyField, // another order is answered by name
  make: functionField,
});

export class SpecChain extends ProcessorChain {
  readonly params: SamplingParams;

  constructor(params: SamplingParamsInput, options: SpecChainOptions = {}) {
    const checked = validate(params);
    const { order = SPEC_ORDER, before: given = [], make = makeStep } = SPEC_OPTIONS.check('SpecChain', options);
    checkOrder(order);
    const before = readArray('SpecChain', 'before', 'an array of processors', given, checkBefore);
    const steps = STEPS.map((step) => make(step.name, optionsOfStep(step, checked)));
    super([...before, ...steps], { tap: before.length + SCORES });
    this.params = checked;
  }
}

/** The six themselves: a bundle of this chain alone leaves the other processors out. */
const CLASSES: ReadonlyMap<string, ProcessorClass> = new Map(
  STEPS.map(({ name }, i) => [name, SPEC_STEPS[i] as never]),
);

function makeStep(name: string, options: object): LogitsProcessor {
  const target = CLASSES.get(name) as ProcessorClass;
  return new target(options as never);
}

function checkOrder(order: readonly string[]): void {
  const isSame = () => order.length === SPEC_ORDER.length && SPEC_ORDER.every((name, i) => name === order[i]);
  if (isArray(order) && readable('SpecChain', 'order', order, isSame)) return;
  const domain = `${SPEC_ORDER.join(', ')} (ProcessorChain takes any order)`;
  throw new InvalidValueError('SpecChain', 'order', domain, order);
}

function checkBefore(given: unknown, index: number): LogitsProcessor {
  const step = given as LogitsProcessor | null | undefined;
  const name = `before[${index}]`;
  if (readable('SpecChain', name, step, () => step?.stage) === 'scores') return step as LogitsProcessor;
  const domain = 'a processor of stage `scores` (ProcessorChain takes any)';
  throw new InvalidValueError('SpecChain', name, domain, step?.name ?? step);
}
