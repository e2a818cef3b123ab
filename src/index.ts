/**
 * Lockstep: the sampling stage of a language model.
 */
export * from '../processors/index.js';
export { CandidateSet } from './candidates/candidate-set.js';
export type { Logits } from './candidates/logits.js';
export type { RankedLogprob, Scores } from './candidates/scores.js';
export type { ChainData, ChainStepData, ProcessorMaker } from './chain/chain-data.js';
export { type ChainOptions, ProcessorChain, type StepObserver } from './chain/processor-chain.js';
export { SPEC_ORDER, SpecChain, type SpecChainOptions } from './chain/spec-chain.js';
export { createContainer } from './container/create-container.js';
export { type CreateSamplerOptions, createChain, createSampler, restoreSampler } from './container/create-sampler.js';
export { processorModule } from './container/modules.js';
export { type ProcessorFactory, processorToken, TOKENS, type UniformFactory } from './container/tokens.js';
export type { BeamChainOptions } from './decode/beams/beam-chain.js';
export {
  type BeamParams,
  type BeamParamsInput,
  beamParamsSchema,
  validateBeamParams,
} from './decode/beams/beam-params.js';
export type { BeamResult, BeamSequence, BeamStep, LiveBeam } from './decode/beams/beam-result.js';
export type { BeamFinishReason } from './decode/beams/beam-rules.js';
export { beamSearch, beamSteps } from './decode/beams/beam-search.js';
export type { BeamRulesName } from './decode/beams/check-together.js';
export type { BeamSearchOptions } from './decode/beams/prepare-search.js';
export type { WhenFull } from './decode/context.js';
export type { EventIterator } from './decode/event-iterator.js';
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
} from './decode/events.js';
export { type GenerateOptions, generate } from './decode/generate.js';
export { type GenerateRequest, generateChoices, generateMany } from './decode/generate-many.js';
export { Generation } from './decode/generation.js';
export { GenerationGroup } from './decode/generation-group.js';
export {
  type GenerationParams,
  type GenerationParamsInput,
  generationParamsSchema,
  validateGeneration,
} from './decode/generation-params.js';
export type { GenerationState, ModelFacts, TokenizerFacts } from './decode/generation-state.js';
export type { GroupMember } from './decode/group-members.js';
export { nthSeed } from './decode/nth-seed.js';
export type { Prompt } from './decode/prompt-ids.js';
export { type RestoreGenerationOptions, restoreGeneration } from './decode/restore-generation.js';
export type { Drafter, DraftRequest, DraftSession, DraftToken } from './decode/speculation/draft.js';
export { generateSpeculative, type SpeculativeOptions } from './decode/speculation/generate-speculative.js';
export { ModelDrafter, type ModelDrafterOptions } from './decode/speculation/model-drafter.js';
export { NgramTable } from './decode/speculation/ngram-table.js';
export { NgramTableDrafter } from './decode/speculation/ngram-table-drafter.js';
export { PromptLookupDrafter, type PromptLookupOptions } from './decode/speculation/prompt-lookup-drafter.js';
export { SpeculativeGeneration, type SpeculativeResult } from './decode/speculation/speculative-generation.js';
export type { SpeculationStatistics } from './decode/speculation/statistics.js';
export { acceptRatio, residual, type Verdict, verifyDraft } from './decode/speculation/verify.js';
export { type ScanResult, StopScanner } from './decode/stop-scanner.js';
export type { ErrorEvent, GroupEvent } from './decode/turns.js';
export { InvalidValueError, NothingLeftError } from './errors.js';
export { EmbeddedModel } from './model/embedded-model.js';
export { EmbeddedTokenizer } from './model/embedded-tokenizer.js';
export type { Awaitable, LanguageModel, ModelSession } from './model/language-model.js';
export { type Embedded, type EmbeddedFiles, loadEmbedded } from './model/load-embedded.js';
export { Safetensors } from './model/safetensors.js';
export type { Tokenizer } from './model/tokenizer.js';
export { exp, fma, log, log2, pow, sqrt } from './numerics/checked.js';
export { defaultNumerics, passesOf, wasmNumerics } from './numerics/default-numerics.js';
export { engineNumerics } from './numerics/engine-numerics.js';
export { type CompleteNumerics, exactNumerics, type Numerics, plainNumerics } from './numerics/numerics.js';
export { defaultPasses, type Passes } from './numerics/passes.js';
export type { RowArrays, RowKernel } from './numerics/row.js';
export { type SamplingParams, type SamplingParamsInput, samplingParamsSchema } from './params/sampling-params.js';
export { NormalSource } from './random/normal.js';
export { Pcg32, type Pcg32State, stream, type UniformSource } from './random/pcg32.js';
export { childSeed, freshSeed, mix64, PURPOSES, type Purpose, type Seed } from './random/seed.js';
export { inverseCdf } from './sampler/inverse-cdf.js';
export { sampleBatch } from './sampler/sample-batch.js';
export type { BatchReadingInput, BatchToken } from './sampler/sample-row.js';
export { type SampledToken, type SampleObserver, Sampler, type SamplerParts } from './sampler/sampler.js';
export { type SamplerState, saveSampler } from './sampler/sampler-state.js';
export { TokenHistory } from './sampler/token-history.js';
export { type Trace, type TracedCandidate, type TracedStep, type TracedWalk, traceSample } from './sampler/trace.js';
export * from './spec.js';
export type { Check, GroupDifference, GroupName, GroupOk, GroupReport, GroupSkipped } from './verify/check.js';
export { type VerifyOptions, type VerifyReport, verify } from './verify/verify.js';
export { VERSION } from './version.js';
