import { NothingLeftError } from '../contract.js';

/** The refusal of a penalty that takes the last id to -Infinity. */
export function leavesNothing(owner: string, parameter: string, value: number): NothingLeftError {
  return new NothingLeftError(owner, parameter, 'small enough that an id is left above -Infinity', value);
}
