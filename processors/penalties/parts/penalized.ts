import { InvalidValueError } from '../../contract.js';

/** l / r where l > 0, else l * r: less likely for r > 1. Refuses, naming `owner` and the option, a result that overflows. */
export function penalized(l: number, r: number, owner: string, option: string, value: number): number {
  const result = l > 0 ? l / r : l * r;
  if (result < Infinity && (result > -Infinity || l === -Infinity)) return result;
  throw new InvalidValueError(owner, option, 'such that no logit overflows', value);
}
