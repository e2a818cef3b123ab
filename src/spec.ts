/**
 * The eight functions of the contract: what a test or a port calls. Each does one step of one token on the same objects
 * that a `Sampler` uses; nothing is kept between calls and no input is modified.
 *
 * `logits` f32[V], f64[V] or numbers[V]; `history` the ids generated so far; `prompt` the prompt's ids. They throw
 * InvalidValueError for what the spec refuses.
 */
import { CandidateSet } from './candidates/candidate-set.js';
import type { Logits } from './candidates/logits.js';
import type { Scores } from './candidates/scores.js';
import { SpecChain } from './chain/spec-chain.js';
import { InvalidValueError } from './errors.js';
import { type SamplingParams, type SamplingParamsInput, validate } from './params/sampling-params.js';
import { type Pcg32, stream, type UniformSource } from './random/pcg32.js';
import type { Seed } from './random/seed.js';
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
  const run = prepare('applyPenalties', logits, params, history, prompt);
  run.score();
  return run.candidates.toLogits();
}

/** The log-softmax of the scores over the whole vocabulary, in nats, f64[V]; -Infinity where masked. */
export function tokenLogprobs(logits: Logits, params: Params, history: Ids = [], prompt: Ids = []): Float64Array {
  const scores = prepare('tokenLogprobs', logits, params, history, prompt).score();
  return Float64Array.from({ length: logits.length }, (_, id) => scores.logprob(id));
}

/** l after step 8, f64[V]: the tempered logits of K, -Infinity elsewhere. At T = 0, the scores unchanged. */
export function processLogits(logits: Logits, params: Params, history: Ids = [], prompt: Ids = []): Float64Array {
  const run = prepare('processLogits', logits, params, history, prompt);
  if (run.params.temperature === 0) run.score();
  else run.process();
  return run.candidates.toLogits();
}

/** q of step 9, f64[V]: 0 outside K, one-hot at T = 0. */
export function samplingDistribution(
  logits: Logits,
  params: Params,
  history: Ids = [],
  prompt: Ids = [],
): Float64Array {
  const run = prepare('samplingDistribution', logits, params, history, prompt);
  run.process();
  return run.candidates.toProbabilities();
}

/** One token: exactly one uniform of `rng`, none at T = 0. `history` is not changed. */
export function sample(
  logits: Logits,
  params: Params,
  history: Ids,
  rng: UniformSource,
  prompt: Ids = [],
): SampledToken {
  const run = prepare('sample', logits, params, history, prompt);
  const scores = run.process();
  const id = run.candidates.settled ?? inverseCdf(run.candidates, rng.uniform());
  return { id, logprob: scores.logprob(id) };
}

/** The entropy of the sampling distribution, in nats; 0 at T = 0. */
export function sampledEntropy(logits: Logits, params: Params, history: Ids = [], prompt: Ids = []): number {
  const run = prepare('sampledEntropy', logits, params, history, prompt);
  run.process();
  return run.candidates.entropy();
}

interface Run {
  readonly params: SamplingParams;
  readonly candidates: CandidateSet;
  score(): Scores;
  process(): Scores;
}

/** Everything checked, the candidates loaded and nothing run yet. */
function prepare(owner: string, logits: Logits, params: Params, history: Ids, prompt: Ids): Run {
  const checked = validate(params);
  const ids = new TokenHistory(prompt, history, owner);
  const candidates = new CandidateSet();
  candidates.load(logits, owner);
  ids.checkWithin(logits.length, owner);
  const chain = new SpecChain(checked);
  const context = { history: ids, uniform: noUniform };
  return {
    params: checked,
    candidates,
    score: () => chain.score(candidates, context),
    process: () => chain.process(candidates, context),
  };
}

function noUniform(): never {
  throw new InvalidValueError('SpecChain', 'draws', '0', 'a step that draws');
}
