/**
 * The processors of a beam search: those of its parameters, or a chain of one's own.
 */
import type { LogitsProcessor } from '../../../processors/contract.js';
import type { ChainData, ProcessorMaker } from '../../chain/chain-data.js';
import { chainFromData } from '../../chain/chain-from-data.js';
import { isChain, ProcessorChain } from '../../chain/processor-chain.js';
import { InvalidValueError } from '../../errors.js';
import { type BeamParams, validateBeamParams } from './beam-params.js';

export interface BeamChainOptions {
  /**
   * Instead of the parameters' processors: any processors in any order. The parameters that make some are then refused.
   * Steps with a state must be able to save and restore it, as each beam has its own; the search leaves them as they were,
   * and has them to itself until it ends.
   */
  readonly chain?: ProcessorChain | ChainData;
  /** Masks, biases and constraints in front of the parameters' processors. */
  readonly before?: readonly LogitsProcessor[];
}

/** The parameters that make processors. */
const MADE = [
  'repetition_penalty',
  'presence_penalty',
  'frequency_penalty',
  'no_repeat_ngram_size',
  'min_tokens',
  'temperature',
  'top_k',
  'top_p',
  'min_p',
] as const;

/**
 * The chain: logit-bias, `before`, repetition-penalty, presence-frequency, no-repeat-ngram, min-tokens, and with do_sample
 * temperature, top-k, top-p, min-p. Steps that are off are left out.
 */
export function beamChain(
  params: BeamParams,
  endIds: readonly number[],
  { chain, before }: BeamChainOptions,
  make: ProcessorMaker,
): ProcessorChain {
  if (chain === undefined) {
    return new ProcessorChain([...bias(params, make), ...(before ?? []), ...made(params, endIds, make)]);
  }
  if (before !== undefined) throw new InvalidValueError('beamSearch', 'before', 'part of the chain given', before);
  if (hasBias(params)) refuseBeside('logit_bias', params);
  const off = validateBeamParams();
  for (const name of MADE) {
    if (params[name] !== off[name]) refuseBeside(name, params);
  }
  return isChain(chain) ? chain : chainFromData(chain, make);
}

function hasBias({ logit_bias }: BeamParams): boolean {
  return Object.keys(logit_bias).length > 0;
}

function refuseBeside(name: keyof BeamParams, params: BeamParams): never {
  throw new InvalidValueError('beamSearch', name, 'a step of the chain given', params[name]);
}

function bias(params: BeamParams, make: ProcessorMaker): LogitsProcessor[] {
  return hasBias(params) ? [make('logit-bias', { bias: params.logit_bias })] : [];
}

function made(params: BeamParams, endIds: readonly number[], make: ProcessorMaker): LogitsProcessor[] {
  const min_keep = endIds.length + 1; // so that a beam can go on
  const steps = [
    make('repetition-penalty', { penalty: params.repetition_penalty }),
    make('presence-frequency', { presence: params.presence_penalty, frequency: params.frequency_penalty }),
    make('no-repeat-ngram', { n: params.no_repeat_ngram_size }),
    ...(endIds.length > 0 ? [make('min-tokens', { min_tokens: params.min_tokens, end_ids: [...endIds] })] : []),
    make('temperature', { temperature: params.temperature }),
    make('top-k', { k: params.top_k, min_keep }),
    make('top-p', { p: params.top_p, min_keep }),
    make('min-p', { m: params.min_p, min_keep }),
  ];
  return steps.filter((step) => step.active !== false);
}
