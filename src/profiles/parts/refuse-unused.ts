/**
 * Parameters that the system would read and then ignore, because the sampler that has them is not in the order.
 */
import { InvalidValueError } from '../../errors.js';
import type { ProfileParam } from '../profile.js';

/**
 * Refuses a value that is not its parameter's default where no sampler that runs has the parameter.
 * @param used the parameters that do something
 * @param why what the refusal says behind "absent"
 */
export function refuseUnused(
  owner: string,
  params: Readonly<Record<string, ProfileParam>>,
  values: Readonly<Record<string, unknown>>,
  used: readonly string[],
  why: string,
): void {
  for (const [name, { schema }] of Object.entries(params)) {
    const { defaultValue } = schema._zod.def as { readonly defaultValue?: unknown };
    if (used.includes(name) || values[name] === defaultValue) continue;
    throw new InvalidValueError(owner, name, `absent: ${why}`, values[name]);
  }
}
