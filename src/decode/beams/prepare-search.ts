/**
 * A beam search made ready: everything checked, and nothing run yet.
 */
import type { Container } from 'inversify';
import type { Tokenizer } from '../../../processors/tokenizer.js';
import type { GrammarSteps } from '../../../processors/tokens.js';
import { checkedModel } from '../../model/checked-model.js';
import { checkedTokenizer } from '../../model/checked-tokenizer.js';
import type { LanguageModel } from '../../model/language-model.js';
import { anyField, oneOf, signalField } from '../../options/fields.js';
import { optionsOf } from '../../options/options-of.js';
import { freshSeed, type Seed } from '../../random/seed.js';
import { CHOICE_FIELDS } from '../../request/create-sampler.js';
import { partsOf } from '../../request/parts.js';
import type { Prompt } from '../prompt-ids.js';
import { type BeamChainOptions, beamChain } from './beam-chain.js';
import { type BeamParams, type BeamParamsInput, validateBeamParams } from './beam-params.js';
import { checkRequest } from './beam-request.js';
import { BeamRows } from './beam-rows.js';
import type { BeamRules, RuleSettings } from './beam-rules.js';
import { type BeamRulesName, checkTogether } from './check-together.js';
import { bestContinuations } from './continuations.js';
import { drawWith } from './draw-continuations.js';
import { HfGroups } from './hf-groups.js';
import { HfRules } from './hf-rules.js';
import { Lanes } from './lanes.js';
import { type ScoreOf, scoreWith } from './length-penalty.js';
import { SpecRules } from './spec-rules.js';

const OWNER = 'beamSearch';

export interface BeamSearchOptions extends BeamChainOptions {
  /** Default `spec`. */
  readonly rules?: BeamRulesName;
  /** For a prompt that is a text, for the texts of the sequences, and for the processors that ask for one. */
  readonly tokenizer?: Tokenizer;
  /** Where the parts come from. Default: what Lockstep ships. */
  readonly container?: Container;
  /** For the step `grammar` of a chain as data. */
  readonly grammars?: GrammarSteps;
  /** Ends the work: its reason is thrown. */
  readonly signal?: AbortSignal;
}

const SEARCH_OPTIONS = optionsOf<BeamSearchOptions>({
  ...CHOICE_FIELDS,
  rules: oneOf('spec', 'hf'),
  tokenizer: anyField, // `checkedTokenizer` says what it lacks
  signal: signalField,
});

export interface Search {
  readonly params: BeamParams;
  readonly rules: BeamRules;
  readonly rows: BeamRows;
  readonly lanes: Lanes;
  readonly scoreOf: ScoreOf;
  readonly tokenizer: Tokenizer | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Throws InvalidValueError for the first thing that does not fit. */
export function prepareSearch(
  givenModel: LanguageModel,
  prompt: Prompt,
  input: BeamParamsInput,
  options: BeamSearchOptions,
): Search {
  const checked = validateBeamParams(input);
  const own = SEARCH_OPTIONS.check(OWNER, options);
  const { rules = 'spec', signal } = own;
  const { numerics, uniforms, makerFor } = partsOf(own.container);
  checkTogether(checked, rules);
  const model = checkedModel(OWNER, givenModel);
  const tokenizer = own.tokenizer === undefined ? undefined : checkedTokenizer(OWNER, own.tokenizer, model.vocabSize);
  const params = checked.do_sample ? { ...checked, seed: checked.seed ?? freshSeed() } : checked;
  const request = checkRequest(model, prompt, params, tokenizer);
  const scoreOf = scoreWith(params.length_penalty, numerics);
  const isGreedy = params.num_beams === 1; // one beam is greedy search, on raw logits
  const chain = beamChain(params, request.endIds, options, makerFor({ tokenizer, grammars: own.grammars }));
  chain.budget(request.maxTokens);
  const rows = new BeamRows({
    chain,
    form: isGreedy ? 'logits' : 'logprobs',
    prompt: request.prompt,
    numerics,
    diversityPenalty: params.diversity_penalty,
  });
  const choose = params.do_sample ? drawWith(uniforms(params.seed as Seed), numerics) : bestContinuations;
  const settings = { ...request, numBeams: params.num_beams, scoreOf, choose };
  const lanes = new Lanes(model, request.prompt);
  return {
    params,
    rules: makeRules(isGreedy || rules === 'spec', settings, params),
    rows,
    lanes,
    scoreOf,
    tokenizer,
    signal,
  };
}

function makeRules(bySpec: boolean, settings: RuleSettings, params: BeamParams): BeamRules {
  if (bySpec) return new SpecRules(settings);
  const { early_stopping: earlyStopping, length_penalty: lengthPenalty, num_beam_groups } = params;
  const all = { ...settings, earlyStopping, lengthPenalty };
  return num_beam_groups > 1 ? new HfGroups(all, num_beam_groups) : new HfRules(all);
}
