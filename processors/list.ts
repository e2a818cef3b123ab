/**
 * The list of the processors. To add one: an import and a line here, and a line in `index.ts`.
 */

import { AdaptiveP } from './adaptive/adaptive-p.js';
import { Mirostat } from './adaptive/mirostat.js';
import { MirostatV2 } from './adaptive/mirostat-v2.js';
import { Epsilon } from './filters/epsilon.js';
import { Eta } from './filters/eta.js';
import { PLess } from './filters/p-less.js';
import { PLessNorm } from './filters/p-less-norm.js';
import { TailFree } from './filters/tail-free.js';
import { TopA } from './filters/top-a.js';
import { TopH } from './filters/top-h.js';
import { TopNSigma } from './filters/top-n-sigma.js';
import { Typical } from './filters/typical.js';
import { Xtc } from './filters/xtc.js';
import { XtcMixture } from './filters/xtc-mixture.js';
import { AllowedTokens } from './masks/allowed-tokens.js';
import { BadWords } from './masks/bad-words.js';
import { BannedTokens } from './masks/banned-tokens.js';
import { EncoderNoRepeatNgram } from './masks/encoder-no-repeat-ngram.js';
import { ForcedBegin } from './masks/forced-begin.js';
import { ForcedEnd } from './masks/forced-end.js';
import { LogitBias } from './masks/logit-bias.js';
import { MinLength } from './masks/min-length.js';
import { MinTokens } from './masks/min-tokens.js';
import { NoRepeatNgram } from './masks/no-repeat-ngram.js';
import { SequenceBias } from './masks/sequence-bias.js';
import { SuppressAtBegin } from './masks/suppress-at-begin.js';
import { TextBias } from './masks/text-bias.js';
import { Dry } from './penalties/dry.js';
import { EncoderRepetition } from './penalties/encoder-repetition.js';
import { ExponentialDecayLength } from './penalties/exponential-decay-length.js';
import { RecentPresenceFrequency } from './penalties/recent-presence-frequency.js';
import { RecentRepetition } from './penalties/recent-repetition.js';
import type { ProcessorClass } from './processor.js';
import { ForcedTrace } from './rules/forced-trace.js';
import { Infill } from './rules/infill.js';
import { ThinkingBudget } from './rules/thinking-budget.js';
import { WhisperTimestamps } from './rules/whisper-timestamps.js';
import { DynamicTemperature } from './shaping/dynamic-temperature.js';
import { LogSoftmax } from './shaping/log-softmax.js';
import { QuadraticSmoothing } from './shaping/quadratic-smoothing.js';
import { SPEC_STEPS } from './spec-steps.js';
import { GreenList } from './watermarks/green-list.js';
import { SynthId } from './watermarks/synth-id.js';

/** Every processor that Lockstep ships: masks, bias, what adapts to what was drawn, rules, watermarks, penalties, shaping, filters. */
export const PROCESSORS: readonly ProcessorClass[] = Object.freeze([
  AllowedTokens,
  BannedTokens,
  BadWords,
  SuppressAtBegin,
  MinTokens,
  ForcedEnd,
  NoRepeatNgram,
  MinLength,
  ForcedBegin,
  EncoderNoRepeatNgram,
  LogitBias,
  TextBias,
  SequenceBias,
  RecentRepetition,
  RecentPresenceFrequency,
  EncoderRepetition,
  Dry,
  ExponentialDecayLength,
  Mirostat,
  MirostatV2,
  AdaptiveP,
  ThinkingBudget,
  WhisperTimestamps,
  ForcedTrace,
  Infill,
  GreenList,
  SynthId,
  DynamicTemperature,
  QuadraticSmoothing,
  LogSoftmax,
  Typical,
  Epsilon,
  Eta,
  TopA,
  TailFree,
  TopNSigma,
  TopH,
  PLess,
  PLessNorm,
  Xtc,
  XtcMixture,
  ...SPEC_STEPS,
]);
