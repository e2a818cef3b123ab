/**
 * What one token of a case comes to, by the two public ways: a `Sampler` that is looked at, and the eight functions.
 */
import { ContainerModule } from 'inversify';
import type { Candidates, LogitsProcessor } from '../../processors/index.js';
import { createContainer, PARTS } from '../../src/container/index.js';
import { CandidateSet, type Logits, type RankedLogprob, type Sampler, TokenHistory } from '../../src/core.js';
import { createSampler, SpecChain } from '../../src/index.js';
import { exactNumerics, exp } from '../../src/numerics/index.js';
import type { UniformSource } from '../../src/random/index.js';
import { applyPenalties, processLogits, sample, samplingDistribution, tokenLogprobs } from '../../src/spec.js';
import { ScriptedUniforms } from '../support/scripted-uniforms.js';
import type { TokenInput } from './case-file.js';

/** Every value of a token that was sampled. */
export interface TokenOutcome {
  readonly kept: readonly number[];
  readonly q: readonly number[];
  readonly sum: number;
  readonly id: number;
  readonly logprob: number;
  readonly penalised: readonly number[];
  readonly top: { readonly ids: readonly number[]; readonly logprobs: readonly number[] };
  readonly topSum: number;
  /** Uniforms drawn. */
  readonly draws: number;
}

/** What the container gives to the next request. */
let upcoming: UniformSource = new ScriptedUniforms([]);

const container = createContainer(
  new ContainerModule(({ rebind }) => {
    rebind(PARTS.uniforms).toConstantValue(() => upcoming);
  }),
);

/** The sampler of a case's request; its mask stands before the spec's chain. */
export function samplerFor(input: TokenInput, uniforms: UniformSource): Sampler {
  upcoming = uniforms;
  const { params, prompt = [], history = [] } = input;
  return createSampler(params, { prompt, history, before: masksOf(input), container });
}

/** One token of `sampler`, which is looked at while it samples. */
export function outcomeOfSampler(sampler: Sampler, input: TokenInput, logits: Logits): TokenOutcome {
  let last: CandidateSet | undefined;
  const look = (candidates: CandidateSet): void => {
    last = candidates;
  };
  const before = sampler.draws;
  const { id, logprob } = sampler.sample(logits, { start: look });
  const candidates = last as CandidateSet;
  return {
    ...ofDistribution(candidates.toLogits(), candidates.toProbabilities()),
    ...ofTop(sampler.topLogprobs(input.params?.logprobs ?? 0)),
    id,
    logprob,
    penalised: penalisedOf(input, logits),
    draws: sampler.draws - before,
  };
}

/** The same by the eight functions, which know no masks. */
export function outcomeOfFunctions(input: TokenInput, logits: Logits, uniforms: ScriptedUniforms): TokenOutcome {
  const { params = {}, history = [], prompt = [] } = input;
  const processed = processLogits(logits, params, history, prompt);
  const q = samplingDistribution(logits, params, history, prompt);
  const before = uniforms.taken;
  const token = sample(logits, params, history, uniforms, prompt);
  const logprobs = [...tokenLogprobs(logits, params, history, prompt)];
  const ranked = logprobs.map((logprob, id) => ({ id, logprob })).filter(({ logprob }) => logprob > -Infinity);
  ranked.sort((a, b) => b.logprob - a.logprob || a.id - b.id);
  return {
    ...ofDistribution(params.temperature === 0 ? onlyAt(token.id, processed) : processed, q),
    ...ofTop(ranked.slice(0, params.logprobs ?? 0)),
    ...token,
    penalised: [...applyPenalties(logits, params, history, prompt)],
    draws: uniforms.taken - before,
  };
}

/** The case's mask as a processor that sets logits to -Infinity. */
export function masksOf({ mask }: TokenInput): LogitsProcessor[] {
  if (mask === undefined) return [];
  const banned = (id: number): boolean => mask.ban?.includes(id) || (mask.allow?.includes(id) ?? true) === false;
  const process = (candidates: Candidates): void => {
    for (let id = 0; id < candidates.vocabSize; id++) {
      if (banned(id) && candidates.has(id)) candidates.setLogit(id, -Infinity);
    }
  };
  return [{ name: 'mask', stage: 'scores', process }];
}

/** The scores: the logits after masks and penalties. */
function penalisedOf(input: TokenInput, logits: Logits): number[] {
  const candidates = new CandidateSet();
  candidates.load(logits);
  const history = new TokenHistory(input.prompt, input.history);
  const uniforms = new ScriptedUniforms([]);
  const chain = new SpecChain(input.params ?? {}, { before: masksOf(input) });
  chain.score(candidates, { history, numerics: exactNumerics, uniform: () => uniforms.uniform() });
  return [...candidates.toLogits()];
}

function ofDistribution(l: Float64Array, q: Float64Array): Pick<TokenOutcome, 'kept' | 'q' | 'sum'> {
  let sum = 0;
  for (const share of q) sum += share;
  return { kept: [...l.keys()].filter((id) => (l[id] as number) > -Infinity), q: [...q], sum };
}

function ofTop(top: readonly RankedLogprob[]): Pick<TokenOutcome, 'top' | 'topSum'> {
  const logprobs = top.map(({ logprob }) => logprob);
  return {
    top: { ids: top.map(({ id }) => id), logprobs },
    topSum: logprobs.reduce((sum, logprob) => sum + exp(logprob), 0),
  };
}

/** `l` with all but `id` removed: what a greedy step leaves, and `processLogits` by its contract does not show. */
function onlyAt(id: number, l: Float64Array): Float64Array {
  return l.map((value, i) => (i === id ? value : -Infinity));
}
