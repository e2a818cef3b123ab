/**
 * The processors, and the contract that one of your own fulfils.
 */

export { AdaptiveP } from './adaptive/adaptive-p.js';
export { Mirostat } from './adaptive/mirostat.js';
export { MirostatV2 } from './adaptive/mirostat-v2.js';
export { Constrained, type ConstrainedOptions } from './constraints/constrained.js';
export type { Constraint, TokenMask } from './constraints/constraint.js';
export { type AllowedIds, constraintFrom } from './constraints/from-allowed.js';
export { type AllowedAfter, PrefixAllowedTokens } from './constraints/prefix-allowed-tokens.js';
export * from './contract.js';
export { Epsilon } from './filters/epsilon.js';
export { Eta } from './filters/eta.js';
export { MinP } from './filters/min-p.js';
export { PLess } from './filters/p-less.js';
export { PLessNorm } from './filters/p-less-norm.js';
export { TailFree } from './filters/tail-free.js';
export { TopA } from './filters/top-a.js';
export { TopH } from './filters/top-h.js';
export { TopK } from './filters/top-k.js';
export { TopNSigma } from './filters/top-n-sigma.js';
export { TopP } from './filters/top-p.js';
export { Typical } from './filters/typical.js';
export { Xtc } from './filters/xtc.js';
export { XtcMixture } from './filters/xtc-mixture.js';
export { PROCESSORS } from './list.js';
export { AllowedTokens } from './masks/allowed-tokens.js';
export { BadWords } from './masks/bad-words.js';
export { BannedTokens } from './masks/banned-tokens.js';
export { EncoderNoRepeatNgram } from './masks/encoder-no-repeat-ngram.js';
export { ForcedBegin } from './masks/forced-begin.js';
export { ForcedEnd } from './masks/forced-end.js';
export { LogitBias, type LogitBiasInput } from './masks/logit-bias.js';
export { Mask } from './masks/mask.js';
export { MinLength } from './masks/min-length.js';
export { MinTokens } from './masks/min-tokens.js';
export { NoRepeatNgram } from './masks/no-repeat-ngram.js';
export { type PackedMask, packMask } from './masks/parts/pack-mask.js';
export { SequenceBias } from './masks/sequence-bias.js';
export { SuppressAtBegin } from './masks/suppress-at-begin.js';
export { TextBias } from './masks/text-bias.js';
export { Dry } from './penalties/dry.js';
export { EncoderRepetition } from './penalties/encoder-repetition.js';
export { ExponentialDecayLength } from './penalties/exponential-decay-length.js';
export { PresenceFrequency } from './penalties/presence-frequency.js';
export { RecentPresenceFrequency } from './penalties/recent-presence-frequency.js';
export { RecentRepetition } from './penalties/recent-repetition.js';
export { RepetitionPenalty } from './penalties/repetition-penalty.js';
export type { Ids } from './plain-ids.js';
export * from './processor.js';
export { ForcedTrace } from './rules/forced-trace.js';
export { Infill } from './rules/infill.js';
export { ThinkingBudget } from './rules/thinking-budget.js';
export { WhisperTimestamps } from './rules/whisper-timestamps.js';
export * from './schema.js';
export { DynamicTemperature } from './shaping/dynamic-temperature.js';
export { Guidance, SECOND_LOGITS, type SecondLogits } from './shaping/guidance.js';
export { LogSoftmax } from './shaping/log-softmax.js';
export { QuadraticSmoothing } from './shaping/quadratic-smoothing.js';
export { Temperature } from './shaping/temperature.js';
export type { Tokenizer } from './tokenizer.js';
export {
  type GrammarSteps,
  type Injected,
  type Injection,
  ifGiven,
  type OptionalToken,
  TOKENS,
  type Token,
  token,
} from './tokens.js';
export { detectGreenList, type GreenListScore } from './watermarks/detect-green-list.js';
export { detectSynthId, type SynthIdScore } from './watermarks/detect-synth-id.js';
export { GreenList } from './watermarks/green-list.js';
export { SynthId } from './watermarks/synth-id.js';
export type { ParamInfo, WireParams } from './wire-params.js';
