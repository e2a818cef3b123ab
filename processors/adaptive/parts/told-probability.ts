/**
 * What a step that regulates itself is told of an id.
 */
import { checkId, readable } from '../../../src/inputs.js';
import { isObject } from '../../../src/kinds.js';
import { type AcceptInfo, InvalidValueError } from '../../contract.js';

/** q of `id`, in [0, 1]; undefined where it is not known. Refuses, naming `owner`, what is no id and no such thing. */
export function toldProbability(owner: string, id: number, info: AcceptInfo | undefined): number | undefined {
  checkId(owner, 'id', id);
  if (info === undefined) return undefined;
  const isInfo = isObject(info) && readable(owner, 'info', info, () => 'probability' in info);
  if (!isInfo) throw new InvalidValueError(owner, 'info', 'an object with `probability`, or undefined', info);
  const q: unknown = readable(owner, 'info', info, () => info.probability);
  if (q === undefined || (typeof q === 'number' && q >= 0 && q <= 1)) return q;
  throw new InvalidValueError(owner, 'info.probability', 'a number in [0, 1], or undefined', q);
}
