/**
 * Several texts at once: of one prompt, or of requests that have nothing to do with one another.
 */

import type { Tokenizer } from '../../../processors/tokenizer.js';
import { isChain } from '../../chain/processor-chain.js';
import { hasState } from '../../chain/step-owners.js';
import { InvalidValueError } from '../../errors.js';
import { readArray, readable } from '../../inputs.js';
import { isObject } from '../../kinds.js';
import type { LanguageModel } from '../../model/language-model.js';
import { anyField } from '../../options/fields.js';
import { optionsOf } from '../../options/options-of.js';
import { freshSeed } from '../../random/seed.js';
import { type GenerationParamsInput, validateGeneration } from '../generation-params.js';
import type { Prompt } from '../prompt-ids.js';
import type { GenerateResult } from './events.js';
import { GENERATE_OPTIONS, type GenerateOptions, generate, prepareGeneration } from './generate.js';
import type { Generation } from './generation.js';
import { GenerationGroup } from './generation-group.js';
import { beginMember, type GroupMember, GroupMembers } from './group-members.js';
import { nthSeed } from './nth-seed.js';

/** One request among several. */
export interface GenerateRequest {
  readonly prompt: Prompt;
  readonly params?: GenerationParamsInput;
  readonly options?: GenerateOptions;
}

const REQUEST = optionsOf<GenerateRequest>({ prompt: anyField, params: anyField, options: anyField });

/**
 * `params.n` texts after one prompt, a token of each in turn, each begun at its first turn. Text i is that of `generate` with the seed seed + i (modulo
 * 2^64); without a seed one is chosen for all. Steps with a state cannot be shared: give such a chain as data.
 *
 * `for await` gives events with the `index` of the text, `await` the results by index, or the first error. Wrong
 * parameters are refused here, before the model is asked anything.
 */
export function generateChoices(
  model: LanguageModel,
  tokenizer: Tokenizer,
  prompt: Prompt,
  params: GenerationParamsInput = {},
  options: GenerateOptions = {},
): GenerationGroup<readonly GenerateResult[]> {
  const checked = validateGeneration(params);
  const own = GENERATE_OPTIONS.check('generateChoices', options);
  const { n, seed = freshSeed() } = checked;
  if (n > 1) refuseShared(own);
  const begin = prepareGeneration(model, tokenizer, prompt, checked, own);
  const first = begin(nthSeed(seed, 0)); // what does not fit is refused here
  const members = new GroupMembers(n, (i) => (i === 0 ? first : beginMember(() => begin(nthSeed(seed, i)))));
  return new GenerationGroup(members, runsAtOnce(model), (results) => results.map(resultOf));
}

/**
 * The texts of `requests`, a token of each in turn; each is what `generate` gives alone. A request that is refused, or
 * fails later, has its error in its place: as an event of type `error`, and as a rejected result.
 *
 * `for await` gives events with the `index` of the request, `await` the settled results by index.
 */
export function generateMany(
  model: LanguageModel,
  tokenizer: Tokenizer,
  requests: readonly GenerateRequest[],
): GenerationGroup<readonly PromiseSettledResult<GenerateResult>[]> {
  const begun = readArray('generateMany', 'requests', 'an array', requests, (request, i) =>
    beginMember(() => begin(model, tokenizer, request, `requests[${i}]`)),
  );
  const members = new GroupMembers(begun.length, (i) => begun[i] as GroupMember);
  return new GenerationGroup(members, runsAtOnce(model), (results) => results);
}

function begin(model: LanguageModel, tokenizer: Tokenizer, request: unknown, name: string): Generation {
  const { prompt, params, options } = REQUEST.check('generateMany', request, name);
  return generate(model, tokenizer, prompt, params, options);
}

/** Whether `model`, which may be none, says so. */
function runsAtOnce(model: LanguageModel): boolean {
  return isObject(model) && readable('generateMany', 'model', model, () => model.sessionsRunAtOnce) === true;
}

/** Refuses a step with a state before the first text takes it: the second could not have it too. */
function refuseShared({ chain, before = [] }: GenerateOptions): void {
  const step = [...(isChain(chain) ? chain.steps : []), ...before].find(hasState);
  if (step === undefined) return;
  const domain = 'without a state where several texts have it (give the chain as data)';
  throw new InvalidValueError('generateChoices', step.name, domain, 'a step with a state');
}

function resultOf(settled: PromiseSettledResult<GenerateResult>): GenerateResult {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}
