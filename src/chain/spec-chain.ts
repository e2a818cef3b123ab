/**
 * The spec's chain: the six mandated processors, locked into the mandated order.
 *
 * repetition-penalty, presence-frequency, logprobs, temperature, top-k, top-p, min-p. A step whose parameter is off is
 * skipped. Processors of stage `scores` (masks, biases) may go in front. Another order is refused: `ProcessorChain`
 * takes any.
 * Source: docs/SPEC.md, steps 2 to 8.
 */
import type { LogitsProcessor } from '../../processors/contract.js';
import { MinP } from '../../processors/filters/min-p.js';
import { TopK } from '../../processors/filters/top-k.js';
import { TopP } from '../../processors/filters/top-p.js';
import { PresenceFrequency } from '../../processors/penalties/presence-frequency.js';
import { RepetitionPenalty } from '../../processors/penalties/repetition-penalty.js';
import { Temperature } from '../../processors/shaping/temperature.js';
import { InvalidValueError } from '../errors.js';
import { readArray, readable } from '../inputs.js';
import { isArray } from '../kinds.js';
import { anyField, functionField, stepsField } from '../options/fields.js';
import { optionsOf } from '../options/options-of.js';
import { type SamplingParams, type SamplingParamsInput, validate } from '../params/sampling-params.js';
import type { ProcessorMaker } from './chain-data.js';
import { ProcessorChain } from './processor-chain.js';

/** The mandated order. */
export const SPEC_ORDER = Object.freeze([
  'repetition-penalty',
  'presence-frequency',
  'temperature',
  'top-k',
  'top-p',
  'min-p',
] as const);

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
    const all = specOptions(checked);
    super([...before, ...SPEC_ORDER.map((name) => make(name, all[name]))], { tap: before.length + 2 });
    this.params = checked;
  }
}

/** The six, named one by one: a bundle of this chain alone leaves the other processors out. */
const MAKERS = {
  'repetition-penalty': (options: object) => new RepetitionPenalty(options as never),
  'presence-frequency': (options: object) => new PresenceFrequency(options as never),
  temperature: (options: object) => new Temperature(options as never),
  'top-k': (options: object) => new TopK(options as never),
  'top-p': (options: object) => new TopP(options as never),
  'min-p': (options: object) => new MinP(options as never),
};

function makeStep(name: string, options: object): LogitsProcessor {
  return MAKERS[name as (typeof SPEC_ORDER)[number]](options);
}

/** The options of each processor, from the parameters. */
function specOptions(params: SamplingParams): Record<(typeof SPEC_ORDER)[number], object> {
  return {
    'repetition-penalty': { penalty: params.repetition_penalty },
    'presence-frequency': { presence: params.presence_penalty, frequency: params.frequency_penalty },
    temperature: { temperature: params.temperature },
    'top-k': { k: params.top_k },
    'top-p': { p: params.top_p },
    'min-p': { m: params.min_p },
  };
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
