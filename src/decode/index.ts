/**
 * `lockstep/decode`: texts of a model: generation, beam search, speculative decoding, and the interfaces of a model.
 */

export type { Tokenizer } from '../../processors/tokenizer.js';
export type { Awaitable, LanguageModel, ModelSession } from '../model/language-model.js';
export type { BeamChainOptions } from './beams/beam-chain.js';
export { type BeamParams, type BeamParamsInput, beamParamsSchema, validateBeamParams } from './beams/beam-params.js';
export type { BeamResult, BeamSequence, BeamStep, LiveBeam } from './beams/beam-result.js';
export type { BeamFinishReason } from './beams/beam-rules.js';
export { beamSearch, beamSteps } from './beams/beam-search.js';
export type { BeamRulesName } from './beams/check-together.js';
export type { BeamSearchOptions } from './beams/prepare-search.js';
export {
  type GenerationParams,
  type GenerationParamsInput,
  generationParamsSchema,
  validateGeneration,
} from './generation-params.js';
export type { Prompt } from './prompt-ids.js';
export type { EventIterator } from './run/event-iterator.js';
export type {
  EndEvent,
  Ending,
  FinishReason,
  GenerateEvent,
  GenerateResult,
  LengthBy,
  PromptEvent,
  Reports,
  ScoredPrompt,
  Timing,
  TokenEvent,
  TopLogprob,
  Usage,
} from './run/events.js';
export { type GenerateOptions, generate } from './run/generate.js';
export { type GenerateRequest, generateChoices, generateMany } from './run/generate-many.js';
export { Generation } from './run/generation.js';
export { GenerationGroup } from './run/generation-group.js';
export type { GenerationState, ModelFacts, TokenizerFacts } from './run/generation-state.js';
export type { GroupMember } from './run/group-members.js';
export { nthSeed } from './run/nth-seed.js';
export { type RestoreGenerationOptions, restoreGeneration } from './run/restore-generation.js';
export type { ErrorEvent, GroupEvent } from './run/turns.js';
export type { WhenFull } from './session/context.js';
export type { Drafter, DraftRequest, DraftSession, DraftToken } from './speculation/draft.js';
export { generateSpeculative, type SpeculativeOptions } from './speculation/generate-speculative.js';
export { ModelDrafter, type ModelDrafterOptions } from './speculation/model-drafter.js';
export { NgramTable } from './speculation/ngram-table.js';
export { NgramTableDrafter } from './speculation/ngram-table-drafter.js';
export { PromptLookupDrafter, type PromptLookupOptions } from './speculation/prompt-lookup-drafter.js';
export { SpeculativeGeneration, type SpeculativeResult } from './speculation/speculative-generation.js';
export type { SpeculationStatistics } from './speculation/statistics.js';
export { acceptRatio, residual, type Verdict, verifyDraft } from './speculation/verify.js';
export { type ScanResult, StopScanner } from './text/stop-scanner.js';
