/**
 * The group `golden`: the golden cases of the spec, by a sampler.
 */

import { SpecChain } from '../chain/spec-chain.js';
import type { Logits } from '../logits.js';
import type { Numerics } from '../numerics/numerics.js';
import type { SamplingParamsInput } from '../params/sampling-params.js';
import { stream } from '../random/pcg32.js';
import { Sampler } from '../sampler/sampler.js';
import type { Check } from './check.js';
import { hex } from './fnv1a.js';

/** A case of fixtures/sampler_golden.json. */
export interface GoldenCase {
  readonly name: string;
  readonly logits: readonly (number | '-inf')[];
  readonly params: SamplingParamsInput;
  readonly prompt: readonly number[];
  readonly seed: number;
  readonly ids: readonly number[];
  /** 16 hexadecimal digits each. */
  readonly logprob_bits: readonly string[];
}

export function* goldenChecks(cases: readonly GoldenCase[], numerics: Numerics): Iterable<Check> {
  for (const golden of cases) {
    const logits = golden.logits.map((x) => (x === '-inf' ? -Infinity : x));
    yield* caseChecks(golden, Float32Array.from(logits), numerics);
    yield* caseChecks(golden, logits, numerics);
  }
}

function* caseChecks(golden: GoldenCase, logits: Logits, numerics: Numerics): Iterable<Check> {
  const { name, params, prompt, seed } = golden;
  const chain = new SpecChain(params);
  const sampler = new Sampler({ chain, seed, uniforms: stream(seed, 'sample'), prompt, numerics });
  for (const [n, id] of golden.ids.entries()) {
    const token = sampler.sample(logits);
    const what = `case ${name}, token ${n}`;
    yield { what: `${what}, the id`, expected: String(id), got: String(token.id) };
    yield { what: `${what}, the logprob`, expected: golden.logprob_bits[n] ?? 'a logprob', got: hex(token.logprob) };
  }
}
