/**
 * `lockstep/core`: samplers and chains put together by hand, without a container.
 */
export { CandidateSet } from './candidates/candidate-set.js';
export type { RankedLogprob, Scores } from './candidates/scores.js';
export type { ChainData, ChainStepData, ProcessorMaker } from './chain/chain-data.js';
export { type ChainOptions, ProcessorChain, type StepObserver } from './chain/processor-chain.js';
export { SPEC_ORDER, SpecChain, type SpecChainOptions } from './chain/spec-chain.js';
export type { Logits } from './logits.js';
export { type SamplingParams, type SamplingParamsInput, samplingParamsSchema } from './params/sampling-params.js';
export { stream } from './random/pcg32.js';
export { inverseCdf } from './sampler/inverse-cdf.js';
export { logitsBuffer } from './sampler/logits-buffer.js';
export { sampleBatch } from './sampler/sample-batch.js';
export type { BatchReadingInput, BatchToken } from './sampler/sample-row.js';
export { type SampledToken, type SampleObserver, Sampler, type SamplerParts } from './sampler/sampler.js';
export { type SamplerState, saveSampler } from './sampler/sampler-state.js';
export { TokenHistory } from './sampler/token-history.js';
export { type Trace, type TracedCandidate, type TracedStep, type TracedWalk, traceSample } from './sampler/trace.js';
