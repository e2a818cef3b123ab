/**
 * The eight functions of the contract (docs/SPEC.md, "The functions"): what a test or a port calls. Each does one step of
 * one token on the same objects that a `Sampler` uses; nothing is kept between calls and no input is modified.
 *
 * `logits` f32[V], f64[V] or numbers[V]; `history` the ids generated so far; `prompt` the prompt's ids. They throw
 * InvalidValueError for what the spec refuses.
 */

import type { CandidateSet } from './candidates/candidate-set.js';
import type { Scores } from './candidates/scores.js';
import { SpecChain } from './chain/spec-chain.js';
import { InvalidValueError } from './errors.js';
import { type Logits, vectorLength } from './logits.js';
import { exactNumerics } from './numerics/numerics.js';
import { type SamplingParams, type SamplingParamsInput, validate } from './params/sampling-params.js';
import { type Pcg32, stream, type UniformSource } from './random/pcg32.js';
import type { Seed } from './random/seed.js';
import { checkSource, drawUniform } from './random/uniform.js';
import { threadLender } from './sampler/candidate-lender.js';
import { inverseCdf } from './sampler/inverse-cdf.js';
import type { SampledToken } from './sampler/sampler.js';
import { TokenHistory } from './sampler/token-history.js';

export { validate };

type Params = SamplingParamsInput;
type Ids = ArrayLike<number>;

/** The generator of a request with this seed: stream(seed, sample). */
export function requestRng(seed: Seed): Pcg32 {
  return stream(seed, 'sample');
}

/** l after steps 1 to 3, f64[V]. */
export function applyPenalties(logits: Logits, params: Params, history: Ids = [], prompt: Ids = []): Float64Array {
  return run('applyPenalties', logits, params, history, prompt, (token) => {
    token.score();
    return token.candidates.toLogits();
  });
}

/** The log-softmax of the scores over the whole vocabulary, in nats, f64[V]; -Infinity where masked. */
export function tokenLogprobs(logits: Logits, params: Params, history: Ids = [], prompt: Ids = []): Float64Array {
  return run('tokenLogprobs', logits, params, history, prompt, (token) => {
    const scores = token.score();
    return Float64Array.from({ length: logits.length }, (_, id) => scores.logprob(id));
  });
}

/** l after step 8, f64[V]: the tempered logits of K, -Infinity elsewhere. At T = 0, the scores unchanged. */
export function processLogits(logits: Logits, params: Params, history: Ids = [], prompt: Ids = []): Float64Array {
  return run('processLogits', logits, params, history, prompt, (token) => {
    if (token.params.temperature === 0) token.score();
    else token.process();
    return token.candidates.toLogits();
  });
}

/** q of step 9, f64[V]: 0 outside K, one-hot at T = 0. */
export function samplingDistribution(
  logits: Logits,
  params: Params,
  history: Ids = [],
  prompt: Ids = [],
): Float64Array {
  return run('samplingDistribution', logits, params, history, prompt, (token) => {
    token.process();
    return token.candidates.toProbabilities();
  });
}

/** One token: exactly one uniform of `rng`, none at T = 0. `history` is not changed. */
export function sample(
  logits: Logits,
  params: Params,
  history: Ids,
  rng: UniformSource,
  prompt: Ids = [],
): SampledToken {
  checkSource('sample', 'rng', rng);
  return run('sample', logits, params, history, prompt, (token) => {
    const scores = token.process();
    const id = token.candidates.settled ?? inverseCdf(token.candidates, drawUniform(rng, 'sample'));
    return { id, logprob: scores.logprob(id) };
  });
}

/** The entropy of the sampling distribution, in nats; 0 at T = 0. */
export function sampledEntropy(logits: Logits, params: Params, history: Ids = [], prompt: Ids = []): number {
  return run('sampledEntropy', logits, params, history, prompt, (token) => {
    token.process();
    return token.candidates.entropy();
  });
}

/** One token of a call, with everything checked, the candidates loaded and nothing run yet. */
interface Token {
  readonly params: SamplingParams;
  readonly candidates: CandidateSet;
  score(): Scores;
  process(): Scores;
}

/** What `read` makes of a token; its candidates are lent for the call. */
function run<T>(
  owner: string,
  logits: Logits,
  params: Params,
  history: Ids,
  prompt: Ids,
  read: (token: Token) => T,
): T {
  const checked = validate(params);
  const ids = new TokenHistory(prompt, history, owner);
  vectorLength(owner, logits);
  return threadLender.lend(exactNumerics, logits, (candidates) => {
    candidates.load(logits, owner);
    ids.checkWithin(logits.length, owner);
    const chain = new SpecChain(checked);
    const context = { history: ids, numerics: exactNumerics, uniform: noUniform };
    return read({
      params: checked,
      candidates,
      score: () => chain.score(candidates, context),
      process: () => chain.process(candidates, context),
    });
  });
}

function noUniform(): never {
  throw new InvalidValueError('SpecChain', 'draws', '0', 'a step that draws');
}
