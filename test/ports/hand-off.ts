/**
 * One request whose tokens are drawn in turns: each worker gets what was saved (seed, draws, prompt, ids) and goes on.
 */
import { createSampler, restoreSampler, type SamplerState, saveSampler } from '../../src/index.js';
import { hex } from '../support/bits.js';
import type { Port } from './port.js';
import type { PortRequest } from './request.js';

/** A worker's share, and the request as it leaves it. */
export interface Share {
  readonly ids: readonly number[];
  readonly logprob_bits: readonly string[];
  readonly state: SamplerState;
}

/** Draws the next tokens of a saved request. */
export type Worker = (state: SamplerState, request: PortRequest, tokens: number) => Promise<Share>;

/** The library: its sampler is restored, and saved again. */
export const library: Worker = async (state, request, tokens) => {
  const sampler = restoreSampler(state);
  const drawn = Array.from({ length: tokens }, () => sampler.sample(request.logits));
  return {
    ids: drawn.map(({ id }) => id),
    logprob_bits: drawn.map(({ logprob }) => hex(logprob)),
    state: saveSampler(sampler),
  };
};

/** A port: it skips what was drawn. */
export function portWorker(port: Port): Worker {
  return async (state, request, tokens) => {
    const { seed, draws: skip, prompt, output: history } = state;
    const answer = await port.ask({ ...request, seed: BigInt(seed), skip, prompt, history, tokens });
    if ('error' in answer) throw new Error(answer.error);
    const draws = request.params.temperature === 0 ? skip : skip + tokens;
    return { ...answer, state: { ...state, draws, output: [...history, ...answer.ids] } };
  };
}

/** The tokens of `request`, drawn `each` at a time by one worker after the other; between them the state is JSON. */
export async function drawInTurns(
  request: PortRequest,
  workers: readonly Worker[],
  each: number,
): Promise<Omit<Share, 'state'>> {
  const ids: number[] = [];
  const bits: string[] = [];
  let saved = JSON.stringify(start(request));
  for (let turn = 0; ids.length < request.tokens; turn++) {
    const worker = workers[turn % workers.length] as Worker;
    const share = await worker(JSON.parse(saved) as SamplerState, request, Math.min(each, request.tokens - ids.length));
    ids.push(...share.ids);
    bits.push(...share.logprob_bits);
    saved = JSON.stringify(share.state);
  }
  return { ids, logprob_bits: bits };
}

function start({ params, seed, history, prompt }: PortRequest): SamplerState {
  return saveSampler(createSampler({ ...params, seed }, { history, prompt }));
}
