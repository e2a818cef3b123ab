/**
 * Steps of chains as data, put in where they do something.
 */
import type { ChainStepData } from '../../chain/chain-data.js';

/** The step, or none where the system would not add it. */
export function when(isOn: boolean, step: ChainStepData): readonly ChainStepData[] {
  return isOn ? [step] : [];
}

/** A bias on ids, if any is given. */
export function bias(given: Readonly<Record<string, number>> | undefined): readonly ChainStepData[] {
  return given === undefined || Object.keys(given).length === 0 ? [] : [{ use: 'logit-bias', bias: given }];
}

/** `min_keep` as an option of a filter; 0 and 1 are what filters do anyway. */
export function atLeast(least: number): { readonly min_keep?: number } {
  return least > 1 ? { min_keep: least } : {};
}
