/**
 * The processors, and the contract that one of your own fulfils. To add one: an import and a line in the list.
 */
import type { ProcessorClass } from './contract.js';
import { MinP } from './filters/min-p.js';
import { TopK } from './filters/top-k.js';
import { TopP } from './filters/top-p.js';
import { PresenceFrequency } from './penalties/presence-frequency.js';
import { RepetitionPenalty } from './penalties/repetition-penalty.js';
import { Temperature } from './shaping/temperature.js';

export * from './contract.js';
export * from './schema.js';
export { MinP, PresenceFrequency, RepetitionPenalty, Temperature, TopK, TopP };

/** Every processor that Lockstep ships. */
export const PROCESSORS: readonly ProcessorClass[] = Object.freeze([
  RepetitionPenalty,
  PresenceFrequency,
  Temperature,
  TopK,
  TopP,
  MinP,
]);
