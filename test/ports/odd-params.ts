/**
 * Parameters on both sides of what is refused, wrong types and names among them.
 */
import type { SamplingParamsInput } from '../../src/params/sampling-params.js';

const ODD: Readonly<Record<string, readonly unknown[]>> = {
  temperature: [0, -0, 5e-324, -5e-324, 1e308, '0.5', true, null, [1], Number.NaN, Infinity],
  top_k: [0, -0, 1, 2 ** 53 - 1, -1, 0.5, '1', false, Number.NaN],
  top_p: [1, 5e-324, 0, -0, 1 + 2 ** -52, -0.5, '0.9', null],
  min_p: [0, -0, 1, 1 + 2 ** -52, -5e-324, {}, Infinity],
  repetition_penalty: [5e-324, 1, 2, 0, -0, -1, Infinity, 'inf', []],
  presence_penalty: [-2, -0, 0, 1, Number.NaN, -Infinity, '1'],
  frequency_penalty: [-2, -0, 0, 1, Number.NaN, Infinity, null],
  seed: [0, 1, 2 ** 53 - 1, -1, 0.5, Number.NaN, null, true],
  max_tokens: [1, 128, 0, -1, 1.5, '128', null],
  stop: [[], ['a'], ['a"\\\n\u0001é😀', 'b'], [''], ['a', ''], 'a', [1], null, {}],
  logprobs: [0, 5, -1, 0.5, true, Infinity],
  top_q: [0, 1],
  topK: [1],
};

/** One parameter each. */
export const ODD_PARAMS = Object.entries(ODD).flatMap(([name, values]) =>
  values.map((value) => ({ [name]: value }) as SamplingParamsInput),
);
