/**
 * Penalties over the last ids of a text, the prompt counted, as most systems have them.
 */
import type { ChainStepData } from '../../chain/chain-data.js';
import { when } from './steps.js';

/** How many of the last ids count; undefined for all. */
export type Window = number | undefined;

/** The repetition penalty; none where it is 1. */
export function recentRepetition(penalty: number, window: Window): readonly ChainStepData[] {
  const sustain = window === undefined ? {} : { sustain: window };
  return when(penalty !== 1 && window !== 0, { use: 'recent-repetition', penalty, ...sustain });
}

/** Presence and frequency penalties; none where both are 0. */
export function recentCounts(presence: number, frequency: number, window: Window): readonly ChainStepData[] {
  const last = window === undefined ? {} : { window };
  const isOn = (presence !== 0 || frequency !== 0) && window !== 0;
  return when(isOn, { use: 'recent-presence-frequency', presence, frequency, ...last });
}

export interface DryValues {
  readonly dry_multiplier: number;
  readonly dry_base: number;
  readonly dry_allowed_length: number;
  readonly dry_sequence_breakers?: readonly string[] | undefined;
}

/** The DRY penalty; none where the multiplier is 0. Breakers that are not given are those of the step. */
export function dry(p: DryValues, window: Window): readonly ChainStepData[] {
  const breakers = p.dry_sequence_breakers === undefined ? {} : { breakers: p.dry_sequence_breakers };
  const last = window === undefined ? {} : { window };
  const { dry_multiplier: multiplier, dry_base: base, dry_allowed_length: allowed_length } = p;
  return when(multiplier > 0 && window !== 0, { use: 'dry', multiplier, base, allowed_length, ...breakers, ...last });
}
