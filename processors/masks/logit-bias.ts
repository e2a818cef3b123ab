import { readable } from '../../src/inputs.js';
import { isMap, isObject, isPlainObject } from '../../src/kinds.js';
import { type Candidates, InvalidValueError } from '../contract.js';
import { Processor, processor } from '../processor.js';
import * as z from '../zod.js';

const BIAS = 'an object or a Map from ids to finite numbers';
/** An id as JSON has it for a key: no sign, no leading zero, nothing after it. */
const ID = /^(?:0|[1-9][0-9]{0,15})$/;

/** By id, as JSON has it. */
type BiasData = Readonly<Record<string, number>>;

const onlyNumbersById = z.superRefine<BiasData>((bias, context) => {
  const problem = firstProblem(bias);
  if (problem !== undefined) context.addIssue({ code: 'custom', ...problem });
});
const biasObject = z.custom<BiasData>(isPlainObject, { error: BIAS }).check(onlyNumbersById);
const frozenCopy = z.transform((bias: BiasData): BiasData => Object.freeze({ ...bias }));

export const logitBiasOptions = z.strictObject({
  bias: z.pipe(biasObject, frozenCopy).check(z.describe(BIAS)),
});

export interface LogitBiasInput {
  readonly bias: BiasData | ReadonlyMap<number | string, number>;
}

/**
 * Logit bias: makes listed ids more or less likely.
 *
 * l = l + b for each listed id in K; one that is masked stays masked. The map is that of the OpenAI API: ids as keys,
 * strings as JSON has them or numbers, or a Map; a Map becomes an object in `options`. An empty one is off. Refused when
 * an id is not below V or a logit would overflow, to either side: a ban is `banned-tokens`, not a large number.
 * Source: the OpenAI API reference, logit_bias. Elsewhere: logit_bias; SequenceBiasLogitsProcessor for single ids.
 * Differs from OpenAI and vLLM: any finite bias, not [-100, 100]. Differs from SGLang and mistral.rs, which add it after
 * the penalties: here it stands where the chain has it.
 * Example: { "use": "logit-bias", "bias": { "318": -2, "257": 1.5 } }
 */
@processor({ name: 'logit-bias', options: logitBiasOptions, stage: 'scores', leavesOne: true })
export class LogitBias extends Processor<typeof logitBiasOptions> {
  readonly #bias = new Map(Object.entries(this.options.bias).map(([id, bias]) => [Number(id), bias]));
  readonly #ids = [...this.#bias.keys()];

  constructor(options: LogitBiasInput) {
    super(toData(options));
  }

  override get active(): boolean {
    return this.#ids.length > 0;
  }

  process(candidates: Candidates): void {
    this.#check(candidates);
    candidates.adjustLogits(this.#ids, (l, id) => l + this.#of(id));
  }

  /** All of it first: a refusal leaves every logit as it was. */
  #check(candidates: Candidates): void {
    const { vocabSize } = candidates;
    for (const id of this.#ids) {
      const bias = this.#of(id);
      if (id >= vocabSize) refuse(id, `absent (the ids are those in [0, ${vocabSize}))`, bias);
      const l = candidates.logit(id);
      if (l > -Infinity && !Number.isFinite(l + bias)) refuse(id, 'small enough that no logit overflows', bias);
    }
  }

  #of(id: number): number {
    return this.#bias.get(id) as number;
  }
}

function refuse(id: number, domain: string, bias: number): never {
  throw new InvalidValueError('LogitBias', `bias.${id}`, domain, bias);
}

/** The first key that is no id, or value that is no finite number. */
function firstProblem(bias: BiasData): { path: string[]; message: string } | undefined {
  for (const [key, value] of Object.entries(bias)) {
    const isId = ID.test(key) && Number.isSafeInteger(Number(key));
    if (!isId) return { path: [key], message: 'absent (the keys are ids, integers >= 0)' };
    if (!Number.isFinite(value)) return { path: [key], message: 'a finite number' };
  }
  return undefined;
}

/** With an object in place of a Map. */
function toData(options: LogitBiasInput): { readonly bias: BiasData } {
  if (!isObject(options)) return options;
  const bias: unknown = readable('LogitBias', 'options', options, () => options.bias);
  if (!isMap(bias)) return options as { readonly bias: BiasData };
  for (const key of bias.keys()) {
    const isKey = typeof key === 'number' || typeof key === 'string';
    if (!isKey) throw new InvalidValueError('LogitBias', 'bias', 'keyed by ids', key);
    if (typeof key === 'number' && bias.has(String(key))) {
      throw new InvalidValueError('LogitBias', `bias.${key}`, 'there once, as a number or as a string', bias.get(key));
    }
  }
  const data = Object.fromEntries(bias as Map<string, number>);
  return readable('LogitBias', 'options', options, () => ({ ...options, bias: data }));
}
