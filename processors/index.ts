/**
 * The processors, and the contract that one of your own fulfils. To add one: an import and a line in the list.
 */
import type { ProcessorClass } from './contract.js';
import { MinP } from './filters/min-p.js';
import { TopK } from './filters/top-k.js';
import { TopP } from './filters/top-p.js';
import { AllowedTokens } from './masks/allowed-tokens.js';
import { BadWords } from './masks/bad-words.js';
import { BannedTokens } from './masks/banned-tokens.js';
import { ForcedEnd } from './masks/forced-end.js';
import { LogitBias } from './masks/logit-bias.js';
import { MinTokens } from './masks/min-tokens.js';
import { NoRepeatNgram } from './masks/no-repeat-ngram.js';
import { SuppressAtBegin } from './masks/suppress-at-begin.js';
import { PresenceFrequency } from './penalties/presence-frequency.js';
import { RepetitionPenalty } from './penalties/repetition-penalty.js';
import { Temperature } from './shaping/temperature.js';

export * from './contract.js';
export { Constrained, type ConstrainedOptions } from './masks/constrained.js';
export type { Constraint, TokenMask } from './masks/constraint.js';
export { type AllowedIds, constraintFrom } from './masks/from-allowed.js';
export type { LogitBiasInput } from './masks/logit-bias.js';
export { Mask } from './masks/mask.js';
export { type PackedMask, packMask } from './masks/pack-mask.js';
export type { Ids } from './plain-ids.js';
export * from './schema.js';
export {
  AllowedTokens,
  BadWords,
  BannedTokens,
  ForcedEnd,
  LogitBias,
  MinP,
  MinTokens,
  NoRepeatNgram,
  PresenceFrequency,
  RepetitionPenalty,
  SuppressAtBegin,
  Temperature,
  TopK,
  TopP,
};

/** Every processor that Lockstep ships: masks, bias, penalties, shaping, filters. */
export const PROCESSORS: readonly ProcessorClass[] = Object.freeze([
  AllowedTokens,
  BannedTokens,
  BadWords,
  SuppressAtBegin,
  MinTokens,
  ForcedEnd,
  NoRepeatNgram,
  LogitBias,
  RepetitionPenalty,
  PresenceFrequency,
  Temperature,
  TopK,
  TopP,
  MinP,
]);
