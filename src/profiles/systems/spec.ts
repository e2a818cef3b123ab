import { SPEC_STEPS } from '../../../processors/spec-steps.js';
import type * as z from '../../../processors/zod.js';
import { optionsOfStep, POLICY_PARAMS, type PolicyField, policyShape, specStep } from '../../params/policy-params.js';
import { LENGTH, OF_REQUEST } from '../parts/reasons.js';
import { type ProfileParam, profileOf } from '../profile.js';

const STEPS = SPEC_STEPS.map(specStep);

const params = Object.fromEntries(
  POLICY_PARAMS.map(({ name, help }) => [name, { schema: policyShape[name] as z.core.$ZodType, help }]),
) as { readonly [K in PolicyField]: ProfileParam<(typeof policyShape)[K]> };

/**
 * The spec's chain, as `createSampler` makes it from the same parameters.
 * Source: docs/SPEC.md, steps 2 to 8.
 */
export const spec = profileOf({
  name: 'spec',
  system: 'Lockstep: what createSampler does with these parameters',
  differs: ['nothing'],
  params,
  refused: { ...OF_REQUEST, max_tokens: LENGTH },
  steps: (values) => {
    const steps = STEPS.map((step) => ({ use: step.name, ...optionsOfStep(step, values) }));
    const scores = STEPS.filter(({ stage }) => stage === 'scores').length;
    return [...steps.slice(0, scores), { use: 'logprobs' }, ...steps.slice(scores)];
  },
});
