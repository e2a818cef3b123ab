/**
 * The parameters of the policy: those that the spec's steps honour. They follow from the classes, which say their own
 * (`@processor({ …, params })`).
 * Source: docs/SPEC.md, steps 2 to 8.
 */
import type { Stage } from '../../processors/contract.js';
import type { MinPParams } from '../../processors/filters/min-p.js';
import type { TopKParams } from '../../processors/filters/top-k.js';
import type { TopPParams } from '../../processors/filters/top-p.js';
import type { PresenceFrequencyParams } from '../../processors/penalties/presence-frequency.js';
import type { RepetitionPenaltyParams } from '../../processors/penalties/repetition-penalty.js';
import { type ProcessorClass, type ProcessorInfo, processorInfo } from '../../processors/processor.js';
import type { TemperatureParams } from '../../processors/shaping/temperature.js';
import { SPEC_STEPS } from '../../processors/spec-steps.js';
import type { ParamInfo } from '../../processors/wire-params.js';
import * as z from '../../processors/zod.js';
import { InvalidValueError } from '../errors.js';

/** What a caller gives of them: every field may be left out. */
export interface PolicyParamsInput
  extends TemperatureParams,
    TopKParams,
    TopPParams,
    MinPParams,
    RepetitionPenaltyParams,
    PresenceFrequencyParams {}

export type PolicyField = keyof PolicyParamsInput;

/** A parameter, with the step that honours it. */
export interface PolicyParam extends ParamInfo {
  readonly name: PolicyField;
  readonly step: ProcessorInfo;
}

/** The parameters that `steps` honour, in their order. Throws where a name is said by two of them. */
export function paramsOfSteps(steps: readonly ProcessorClass[]): readonly PolicyParam[] {
  const all = steps.map(processorInfo).flatMap((step) => {
    const infos = Object.entries(step.params ?? {});
    return infos.map(([name, info]) => ({ name: name as PolicyField, step, ...info }));
  });
  const twice = all.find(({ name }, i) => all.findIndex((other) => other.name === name) < i);
  if (twice !== undefined) throw new InvalidValueError(twice.step.name, twice.name, 'said by one step', 'two of them');
  return Object.freeze(all);
}

/** The parameters, those of stage `policy` first, as the spec lists them. */
export const POLICY_PARAMS: readonly PolicyParam[] = Object.freeze(
  paramsOfSteps(SPEC_STEPS).toSorted((a, b) => Number(a.step.stage === 'scores') - Number(b.step.stage === 'scores')),
);

/** The schema of each: that of its option, and its default. */
export const policyShape = Object.fromEntries(
  POLICY_PARAMS.map(({ name, option, off, step }) => {
    return [name, z._default(step.options.shape[option] as z.ZodMiniNumber<number>, off)];
  }),
) as { [K in PolicyField]-?: z.ZodMiniDefault<z.ZodMiniNumber<number>> };

/** What a chain needs of a step of the spec. */
export interface SpecStep {
  readonly name: string;
  readonly stage: Stage;
  /** Each parameter that it honours, with the option that it sets. */
  readonly sets: readonly (readonly [param: PolicyField, option: string])[];
}

export function specStep(step: ProcessorClass): SpecStep {
  const { name, stage, params = {} } = processorInfo(step);
  return { name, stage, sets: Object.entries(params).map(([param, { option }]) => [param as PolicyField, option]) };
}

/** The options of `step`, from the parameters. */
export function optionsOfStep({ sets }: SpecStep, params: PolicyParamsInput): object {
  const options: Record<string, unknown> = {};
  for (const [param, option] of sets) options[option] = params[param];
  return options;
}
