/**
 * Samplers, chains and restored requests, resolved once a request from a container.
 */
import type { Container } from 'inversify';
import type { LogitsProcessor } from '../../processors/contract.js';
import type { Tokenizer } from '../../processors/tokenizer.js';
import type { GrammarSteps } from '../../processors/tokens.js';
import type { ChainData, ProcessorMaker } from '../chain/chain-data.js';
import { chainFromData } from '../chain/chain-from-data.js';
import { GivenSteps } from '../chain/given-steps.js';
import { isChain, type ProcessorChain } from '../chain/processor-chain.js';
import { SpecChain } from '../chain/spec-chain.js';
import { InvalidValueError } from '../errors.js';
import { isArray } from '../kinds.js';
import { idsField, stepsField } from '../options/fields.js';
import { field, optionsOf } from '../options/options-of.js';
import { type SamplingParamsInput, validate } from '../params/sampling-params.js';
import { freshSeed } from '../random/seed.js';
import { Sampler } from '../sampler/sampler.js';
import {
  checkFingerprint,
  checkNumerics,
  checkState,
  checkVersions,
  type SamplerState,
} from '../sampler/sampler-state.js';
import { TokenHistory } from '../sampler/token-history.js';
import { containerField } from './check-container.js';
import { partsOf } from './parts.js';
import { INJECTED_FIELDS } from './request-things.js';

export interface CreateSamplerOptions {
  /** The prompt's ids. */
  readonly prompt?: ArrayLike<number>;
  /** Ids generated before. */
  readonly history?: ArrayLike<number>;
  /** Instead of the spec's chain: any processors in any order. The parameters of policy are then refused. */
  readonly chain?: ProcessorChain | ChainData;
  /** Masks and biases in front of the spec's chain. */
  readonly before?: readonly LogitsProcessor[];
  /** Where the parts come from: of `createContainer`. Default: what Lockstep ships. */
  readonly container?: Container;
  /** For the processors that ask for one, such as `bad-words` where words are texts. */
  readonly tokenizer?: Tokenizer;
  /** For the step `grammar` of a chain as data. */
  readonly grammars?: GrammarSteps;
}

/** The options that say what a chain as data is made from. */
export type MakeOptions = Pick<CreateSamplerOptions, 'container' | 'tokenizer' | 'grammars'>;

const isChainOrData = (value: unknown) => isArray(value) || isChain(value);

/** The fields of options that say how a request's tokens are chosen, for every function that has them. */
export const CHOICE_FIELDS = {
  chain: field('a ProcessorChain or an array of steps', isChainOrData),
  before: stepsField,
  container: containerField,
  grammars: INJECTED_FIELDS.grammars,
};

const MAKE_FIELDS = { container: containerField, ...INJECTED_FIELDS };
const MAKE_OPTIONS = optionsOf<MakeOptions>(MAKE_FIELDS);
const CREATE_OPTIONS = optionsOf<CreateSamplerOptions>({
  ...CHOICE_FIELDS,
  ...MAKE_FIELDS,
  prompt: idsField,
  history: idsField,
});

/** The parameters that a request has beside its chain. */
const REQUEST_PARAMS = ['seed', 'max_tokens', 'stop', 'logprobs'];

/**
 * The sampler of one request: the spec's chain for `params`, or the chain of the options. Without a seed one is chosen
 * from the platform's cryptographic randomness; `sampler.seed` reports it.
 */
export function createSampler(params: SamplingParamsInput = {}, options: CreateSamplerOptions = {}): Sampler {
  const own = CREATE_OPTIONS.check('createSampler', options);
  return samplerWith(params, own, () => own.before);
}

/** As `createSampler`, of options that were checked, with steps in front that are made for the request. */
export function samplerWith(
  params: SamplingParamsInput,
  options: CreateSamplerOptions,
  before: (make: ProcessorMaker) => readonly LogitsProcessor[] | undefined,
): Sampler {
  const { container, chain, prompt = [], history: generated = [], tokenizer, grammars } = options;
  const { numerics, uniforms: uniformsOf, makerFor } = partsOf(container);
  const checked = validate(params);
  const { seed = freshSeed() } = checked;
  const history = new TokenHistory(prompt, generated, 'Sampler');
  const uniforms = uniformsOf(seed);
  const make = makerFor({ tokenizer, grammars, history, uniforms });
  const steps = requestChain(checked, { chain, before: before(make) }, make);
  return new Sampler({ chain: steps, seed, uniforms, history, numerics });
}

/** A chain from data, with the processors of `container`, by default those that Lockstep ships, and what they ask for. */
export function createChain(data: ChainData, options: MakeOptions = {}): ProcessorChain {
  const { container, tokenizer, grammars } = MAKE_OPTIONS.check('createChain', options);
  return chainFromData(data, partsOf(container).makerFor({ tokenizer, grammars }));
}

export interface RestoreSamplerOptions extends MakeOptions {
  /**
   * The steps that the request had as objects, such as a `Constrained` or a `Mask`, made anew with the same options. Each
   * takes the place of the step of its name, in order, and the state that was saved.
   */
  readonly steps?: readonly LogitsProcessor[];
}

const RESTORE_OPTIONS = optionsOf<RestoreSamplerOptions>({ ...MAKE_FIELDS, steps: stepsField });

/**
 * Goes on with a request that `saveSampler` wrote. Its processors must be known to the container, or be given as `steps`.
 * Refused: a chain or numerics that are not those that were saved, and a step that has no place.
 */
export function restoreSampler(saved: SamplerState, options: RestoreSamplerOptions = {}): Sampler {
  const state = checkState(saved);
  const { container, steps = [], tokenizer, grammars } = RESTORE_OPTIONS.check('restoreSampler', options);
  const { numerics, uniforms: uniformsOf, makerFor } = partsOf(container);
  const history = new TokenHistory(state.prompt, state.output, 'Sampler');
  const seed = BigInt(state.seed);
  const uniforms = uniformsOf(seed);
  const given = new GivenSteps(steps, makerFor({ tokenizer, grammars, history, uniforms }));
  const chain = chainFromData(state.chain, (name, stepOptions) => given.take(name, stepOptions));
  given.checkUsed();
  checkVersions(state, chain); // before the fingerprint, which says less
  checkFingerprint(state, chain);
  checkNumerics(state, numerics);
  skip(uniforms, state.draws);
  return new Sampler({ chain, seed, uniforms, draws: state.draws, history, states: state.states, numerics });
}

/** The chain of a request: the spec's for `params`, or that of the options. */
export function requestChain(
  params: SamplingParamsInput,
  { chain, before }: { readonly [name in 'chain' | 'before']?: CreateSamplerOptions[name] | undefined },
  make: ProcessorMaker,
): ProcessorChain {
  if (chain === undefined) return new SpecChain(params, { before: before ?? [], make });
  if (before !== undefined) throw new InvalidValueError('createSampler', 'before', 'part of the chain given', before);
  refusePolicy(params);
  return isChain(chain) ? chain : chainFromData(chain, make);
}

/** A chain of one's own says it all: a `top_p` beside it would be ignored, so it is refused. */
function refusePolicy(params: SamplingParamsInput): void {
  const off: Record<string, unknown> = validate();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== off[name] && !REQUEST_PARAMS.includes(name)) {
      throw new InvalidValueError('createSampler', name, 'a step of the chain given', value);
    }
  }
}

/** Moves on by `draws` uniforms: at once where the source can, else one by one. */
function skip(uniforms: { uniform(): number; skip?(count: number): void }, draws: number): void {
  if (uniforms.skip !== undefined) uniforms.skip(draws);
  else for (let i = 0; i < draws; i++) uniforms.uniform();
}
