/**
 * The names that processors may have: they stand in chains as data, beside what those say themselves.
 */

/** The entry of a chain as data that is no processor: it marks where logprobs are defined. */
export const TAP = 'logprobs';

/** What a name must be, in words. */
export const PROCESSOR_NAME = `a name in kebab-case, and not \`${TAP}\`, which marks where logprobs are defined`;

/** Why no processor has an option `use`. */
export const NO_USE = 'absent, as `use` names the processor in a chain as data';

const KEBAB_CASE = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

export function isProcessorName(name: unknown): name is string {
  return typeof name === 'string' && KEBAB_CASE.test(name) && name !== TAP;
}
