import type { AcceptInfo, Candidates, JsonValue, StepContext } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { mirostatOptions } from './parts/mirostat-options.js';
import { Mu } from './parts/mu.js';

/**
 * Mirostat 2: keeps the ids whose surprise is at most mu, and moves mu so that what is drawn surprises by tau bits on average.
 *
 * An id stays when -log2 q <= mu; one exactly on mu stays, and so does always the best, ties to the lowest id. mu begins at 2
 * tau. An id that is drawn with probability q behind the whole chain moves it: mu = mu - eta (-log2 q - tau). So a token that is
 * settled or drawn greedily, q = 1, raises mu by eta tau, and one that is forced leaves it. tau is in bits, in [0, 1024],
 * default 5; eta, the rate, in [0, 1], default 0.1. The sampler draws once, as ever. It is meant to stand last, behind the
 * temperature.
 * Source: Basu et al. 2020, arXiv 2007.14966. Elsewhere: llama.cpp --mirostat 2, mirostat_v2, mirostat_tau, mirostat_eta,
 * mirostat_mode of text-generation-webui.
 * Differs from llama.cpp: mu moves when the id is accepted, not when the candidates are filtered. Differs from
 * text-generation-webui: one draw, not two. Differs from exllamav2: a mu of 0 is 0, not 2 tau.
 * Example: { "use": "mirostat-v2", "tau": 5, "eta": 0.1 }
 */
@processor({ name: 'mirostat-v2', options: mirostatOptions, stage: 'policy', leavesOne: true })
export class MirostatV2 extends Processor<typeof mirostatOptions> {
  readonly feedback = 'drawn';
  readonly #mu = new Mu('MirostatV2', this.options);

  process(candidates: Candidates, { numerics }: StepContext): void {
    const mu = this.#mu.value;
    const q = candidates.probabilities();
    const best = candidates.idAtRank(0);
    const border = numerics.pow(2, -mu);
    // the logarithm decides, and is asked near the border alone: a whole vocabulary of them takes milliseconds
    const isWithin = (share: number) => share > border / 2 && (share > 2 * border || -numerics.log2(share) <= mu);
    candidates.keepIds((id, index) => id === best || isWithin(q[index] as number));
  }

  accept(id: number, info?: AcceptInfo): void {
    this.#mu.learn(id, info);
  }

  save(): JsonValue {
    return this.#mu.save();
  }

  restore(state: JsonValue): void {
    this.#mu.restore(state);
  }
}
