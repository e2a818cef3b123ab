/**
 * Chains as data: `[{ "use": "repetition-penalty", "penalty": 1.1 }, { "use": "logprobs" }, { "use": "top-k", "k": 40 }]`.
 *
 * Each entry names a processor and gives its options. The entry `logprobs` is no processor: it marks where logprobs are
 * defined; without it they are defined before the first step of stage `policy`.
 */
import type { LogitsProcessor } from '../../processors/contract.js';
import type { Injector } from './inject.js';

export interface ChainStepData {
  /** The processor's name, or `logprobs`. */
  readonly use: string;
  /** The processor's options. */
  readonly [option: string]: unknown;
}

/** More steps than any chain has: what comes from strangers ends here. */
export const MOST_STEPS = 1024;

export type ChainData = readonly ChainStepData[];

/** Makes a processor from its name and options; throws for an unknown name or wrong options. */
export type ProcessorMaker = (name: string, options: object, injector?: Injector) => LogitsProcessor;
