/**
 * What the library answers to a port's request: by the functions of the contract, and by a sampler.
 */
import { createSampler, InvalidValueError, restoreSampler, saveSampler } from '../../src/index.js';
import { processLogits, requestRng, sample, sampledEntropy, samplingDistribution } from '../../src/spec.js';
import { hex } from '../support/bits.js';
import type { PortAnswer, PortRequest, PortTokens } from './request.js';

/** By the eight functions. */
export function answerByFunctions(request: PortRequest): PortAnswer {
  return refusalAsAnswer(() => tokensByFunctions(request));
}

/** By a sampler; the vectors, which it does not give, are left out. A skip below 0 or beyond 2^53 - 1 is refused. */
export function answerBySampler(request: PortRequest): Partial<PortTokens> | { readonly error: string } {
  return refusalAsAnswer(() => tokensBySampler(request));
}

function tokensByFunctions(request: PortRequest): PortTokens {
  const { logits, params, prompt, tokens, digest } = request;
  const rng = requestRng(request.seed);
  rng.skip(request.skip);
  const ids: number[] = [];
  const logprobs: number[] = [];
  const entropies: number[] = [];
  let history: readonly number[] = request.history;
  let before = history;
  for (let i = 0; i < tokens; i++) {
    const { id, logprob } = sample(logits, params, history, rng, prompt);
    ids.push(id);
    logprobs.push(logprob);
    entropies.push(sampledEntropy(logits, params, history, prompt));
    before = history;
    history = [...history, id];
  }
  const vector = digest ? fnv1a : (values: Float64Array) => Array.from(values, hex);
  return {
    ids,
    logprob_bits: logprobs.map(hex),
    entropy_bits: entropies.map(hex),
    processed: vector(processLogits(logits, params, before, prompt)),
    q: vector(samplingDistribution(logits, params, before, prompt)),
  };
}

function tokensBySampler(request: PortRequest): Partial<PortTokens> {
  const { params, seed, history, prompt } = request;
  const fresh = createSampler({ ...params, seed }, { history, prompt });
  const sampler = restoreSampler({ ...saveSampler(fresh), draws: Number(request.skip) });
  const ids: number[] = [];
  const logprobs: number[] = [];
  const entropies: number[] = [];
  for (let i = 0; i < request.tokens; i++) {
    const { id, logprob } = sampler.sample(request.logits);
    ids.push(id);
    logprobs.push(logprob);
    entropies.push(sampler.entropy());
  }
  return { ids, logprob_bits: logprobs.map(hex), entropy_bits: entropies.map(hex) };
}

function refusalAsAnswer<T>(answer: () => T): T | { readonly error: string } {
  try {
    return answer();
  } catch (error) {
    if (error instanceof InvalidValueError) return { error: error.message };
    throw error;
  }
}

/**
 * FNV-1a with 64 bits over the doubles as big-endian bytes, as 16 hexadecimal digits. The prime is 2^40 + 0x1b3, so two
 * 32-bit halves do. Source: Fowler, Noll and Vo.
 */
export function fnv1a(values: Float64Array): string {
  const view = new DataView(new ArrayBuffer(8));
  let hi = 0xcbf29ce4;
  let lo = 0x84222325;
  for (let i = 0; i < values.length; i++) {
    view.setFloat64(0, values[i] as number);
    for (let b = 0; b < 8; b++) {
      lo = (lo ^ view.getUint8(b)) >>> 0;
      const low = lo * 0x1b3;
      hi = (Math.imul(hi, 0x1b3) + (lo << 8) + Math.floor(low / 2 ** 32)) >>> 0;
      lo = low >>> 0;
    }
  }
  return [hi, lo].map((half) => half.toString(16).padStart(8, '0')).join('');
}
