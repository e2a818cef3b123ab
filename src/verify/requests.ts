/**
 * The group `requests`: ids, logprobs, entropies, processed logits and distributions of many random requests.
 */
import { CandidateSet } from '../candidates/candidate-set.js';
import { SpecChain } from '../chain/spec-chain.js';
import { type Numerics, scalarNumerics } from '../numerics/numerics.js';
import { stream } from '../random/pcg32.js';
import { Sampler } from '../sampler/sampler.js';
import { TokenHistory } from '../sampler/token-history.js';
import type { Check } from './check.js';
import { digestDoubles, digestText, hex } from './fnv1a.js';
import { makeRequest, REQUESTS, type VerifyRequest } from './random-requests.js';

/** Three digests a request: of its tokens, its processed logits and its distribution. */
export type RequestDigests = readonly (readonly string[])[];

export function* requestChecks(digests: RequestDigests, numerics: Numerics): Iterable<Check> {
  for (let n = 0; n < REQUESTS; n++) {
    const request = makeRequest(n);
    const name = `request ${n} (V = ${request.logits.length})`;
    const [tokens = 'a digest', processed = 'a digest', q = 'a digest'] = digests[n] ?? [];
    const sampler = createSampler(request, numerics);
    yield { what: `${name}, the tokens`, expected: tokens, got: digestTokens(draw(sampler, request)) };
    const last = processLast(request, sampler.history.output.slice(0, -1), numerics);
    yield { what: `${name}, the processed logits`, expected: processed, got: digestDoubles(last.processed) };
    yield { what: `${name}, the distribution`, expected: q, got: digestDoubles(last.q) };
  }
}

/** A token; the numbers are 16 hexadecimal digits each. */
export interface HexToken {
  readonly id: number;
  readonly logprob: string;
  readonly entropy: string;
}

export function digestTokens(tokens: readonly HexToken[]): string {
  return digestText(tokens.map(({ id, logprob, entropy }) => `${id} ${logprob} ${entropy}`).join('\n'));
}

function createSampler({ params, seed, prompt, history, skip }: VerifyRequest, numerics: Numerics): Sampler {
  const uniforms = stream(seed, 'sample');
  uniforms.skip(skip);
  return new Sampler({ chain: new SpecChain(params), seed, uniforms, prompt, history, numerics });
}

function draw(sampler: Sampler, { logits, tokens }: VerifyRequest): HexToken[] {
  return Array.from({ length: tokens }, () => {
    const { id, logprob } = sampler.sample(logits);
    return { id, logprob: hex(logprob), entropy: hex(sampler.entropy()) };
  });
}

/**
 * What a token was drawn from, by the candidates alone, without a logprob. At T = 0 the processed logits
 * are those of step 3.
 */
function processLast({ logits, params, prompt }: VerifyRequest, history: readonly number[], numerics: Numerics) {
  const chain = new SpecChain(params);
  const context = {
    history: new TokenHistory(prompt, history),
    numerics: scalarNumerics(numerics),
    uniform: () => Number.NaN,
  };
  const load = () => {
    const candidates = new CandidateSet(numerics);
    candidates.load(logits);
    return candidates;
  };
  const candidates = load();
  chain.process(candidates, context);
  const q = candidates.toProbabilities();
  if (chain.params.temperature !== 0) return { processed: candidates.toLogits(), q };
  const scored = load();
  chain.score(scored, context);
  return { processed: scored.toLogits(), q };
}
