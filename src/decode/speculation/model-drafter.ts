/**
 * Drafts by a smaller model, with parameters of its own.
 *
 * It draws from the request's one generator, in program order: a block's draft first, one uniform a token (none where it
 * is greedy), then the verification. Its session and its history follow the accepted ids and go back on rejection.
 */
import type { Container } from 'inversify';
import type { LogitsProcessor } from '../../../processors/contract.js';
import type { Tokenizer } from '../../../processors/tokenizer.js';
import type { GrammarSteps } from '../../../processors/tokens.js';
import type { ChainData } from '../../chain/chain-data.js';
import type { ProcessorChain } from '../../chain/processor-chain.js';
import { InvalidValueError } from '../../errors.js';
import { checkedModel } from '../../model/checked-model.js';
import type { LanguageModel } from '../../model/language-model.js';
import { optionsOf } from '../../options/options-of.js';
import { type SamplingParamsInput, validate } from '../../params/sampling-params.js';
import { CHOICE_FIELDS, requestChain } from '../../request/create-sampler.js';
import { type Parts, partsOf } from '../../request/parts.js';
import { INJECTED_FIELDS } from '../../request/request-things.js';
import { checkDraftRequest, type Drafter, type DraftRequest, type DraftSession } from './draft.js';
import { DraftSampler } from './draft-sampler.js';
import { ModelDraftSession } from './model-draft-session.js';

const OWNER = 'ModelDrafter';
/** What belongs to a request; a draft has none of its own. */
const OF_THE_REQUEST = ['seed', 'max_tokens', 'stop', 'logprobs'];

export interface ModelDrafterOptions {
  /** Instead of the spec's chain: any processors in any order. Steps with a state, given as objects, serve one request. */
  readonly chain?: ProcessorChain | ChainData;
  /** Masks and biases in front of the spec's chain. Those with a state serve one request, and no other chain. */
  readonly before?: readonly LogitsProcessor[];
  /** Where the parts come from. Default: what Lockstep ships. */
  readonly container?: Container;
  /** For the processors that ask for one. */
  readonly tokenizer?: Tokenizer;
  /** For the step `grammar` of a chain as data. */
  readonly grammars?: GrammarSteps;
}

const DRAFTER_OPTIONS = optionsOf<ModelDrafterOptions>({ ...CHOICE_FIELDS, ...INJECTED_FIELDS });

export class ModelDrafter implements Drafter {
  readonly #model: LanguageModel;
  readonly #params: SamplingParamsInput;
  readonly #options: ModelDrafterOptions;
  readonly #parts: Parts;

  /**
   * @param model with the target's vocabulary; its context may be shorter: beyond it nothing is drafted
   * @param params what the drafts are drawn by: temperature, filters, penalties. The nearer to the target's, the more is
   * accepted; the output follows the target in any case
   */
  constructor(model: LanguageModel, params: SamplingParamsInput = {}, options: ModelDrafterOptions = {}) {
    this.#model = checkedModel(OWNER, model);
    this.#params = policyOnly(params);
    this.#options = DRAFTER_OPTIONS.check(OWNER, options);
    this.#parts = partsOf(this.#options.container);
    this.#chain(); // wrong options are refused here
  }

  async open(given: DraftRequest): Promise<DraftSession> {
    const request = checkDraftRequest(OWNER, given);
    const { vocabSize } = this.#model;
    if (vocabSize !== request.vocabSize) {
      throw new InvalidValueError(OWNER, 'model.vocabSize', `${request.vocabSize}, as the target's`, vocabSize);
    }
    const sampler = new DraftSampler(this.#chain(), this.#parts.numerics, request);
    return new ModelDraftSession(this.#model, await this.#model.open(), sampler, request);
  }

  /** A chain as a request has it. */
  #chain(): ProcessorChain {
    const { tokenizer, grammars } = this.#options;
    return requestChain(this.#params, this.#options, this.#parts.makerFor({ tokenizer, grammars }));
  }
}

function policyOnly(params: SamplingParamsInput): SamplingParamsInput {
  validate(params);
  for (const name of OF_THE_REQUEST) {
    const value = (params as Record<string, unknown>)[name];
    if (value !== undefined)
      throw new InvalidValueError(OWNER, name, 'a parameter of the request, not of its drafts', value);
  }
  return params;
}
