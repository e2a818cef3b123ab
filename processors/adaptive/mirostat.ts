import type { AcceptInfo, Candidates, JsonValue, StepContext, StepNumerics } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { mirostatOptions } from './parts/mirostat-options.js';
import { Mu } from './parts/mu.js';

/** m of the paper: how many of the best the exponent is estimated from. */
const BEST = 100;

/**
 * Mirostat, in its first version: top-k, with k such that what is drawn surprises by about tau bits if q falls as in Zipf's law.
 *
 * With q_0 >= q_1 >= … the 100 largest q above 0, ties to the lowest id, t_i = ln((i + 2) / (i + 1)) and b_i = ln(q_i / q_{i+1}):
 * s = sum t_i b_i / sum t_i^2, e = s - 1, k = (e 2^mu / (1 - V^-e))^(1 / s), sums by ascending i. For e = 0 the base of that
 * power is its limit, 2^mu / ln V. The floor(k) best stay, and at least one; with one q above 0, all do. mu begins at 2 tau. An
 * id that is drawn with probability q behind the whole chain moves it: mu = mu - eta (-log2 q - tau). So a token that is
 * settled or drawn greedily, q = 1, raises mu by eta tau, and one that is forced leaves it. tau is in bits, in [0, 1024],
 * default 5; eta, the rate, in [0, 1], default 0.1. The sampler draws once, as ever. Meant to stand last, behind the temperature.
 * Source: Basu et al. 2020, arXiv 2007.14966, algorithm 1. Elsewhere: llama.cpp --mirostat 1, mirostat_tau, mirostat_eta.
 * Differs from llama.cpp: mu moves when the id is accepted, not when the candidates are filtered; q that are 0 and e = 0 have
 * a rule.
 * Example: { "use": "mirostat", "tau": 5, "eta": 0.1 }
 */
@processor({ name: 'mirostat', options: mirostatOptions, stage: 'policy', leavesOne: true })
export class Mirostat extends Processor<typeof mirostatOptions> {
  readonly feedback = 'drawn';
  readonly #mu = new Mu('Mirostat', this.options);

  process(candidates: Candidates, { numerics }: StepContext): void {
    const { probabilities } = candidates.ranked(BEST);
    const end = probabilities.indexOf(0);
    const known = end < 0 ? probabilities : probabilities.subarray(0, end);
    if (known.length < 2) return;
    const k = countFor(this.#mu.value, zipfExponent(known, numerics), candidates.vocabSize, numerics);
    if (k < candidates.size) candidates.keepBest(Math.max(Math.floor(k), 1));
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

/** s of q ~ rank^-s, by least squares through the origin of ln(q_i / q_{i+1}) over ln((i + 2) / (i + 1)). */
function zipfExponent(q: Float64Array, { log }: StepNumerics): number {
  let products = 0;
  let squares = 0;
  for (let i = 0; i + 1 < q.length; i++) {
    const t = log((i + 2) / (i + 1));
    products += t * log((q[i] as number) / (q[i + 1] as number));
    squares += t * t;
  }
  return products / squares;
}

/** k for which the surprise of top-k sampling under Zipf's law with exponent s is mu; Infinity where that overflows. */
function countFor(mu: number, s: number, vocabSize: number, { pow, log }: StepNumerics): number {
  const e = s - 1;
  const power = pow(2, mu);
  const spread = 1 - pow(vocabSize, -e);
  const base = spread === 0 ? power / log(vocabSize) : (e * power) / spread;
  return pow(base, 1 / s);
}
