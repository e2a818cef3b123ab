/**
 * What the model thinks of a prompt: its own distribution before each id, without penalties, masks, temperature and filters.
 */

import type { Tokenizer } from '../../../processors/tokenizer.js';
import type { CandidateSet } from '../../candidates/candidate-set.js';
import { threadLender } from '../../sampler/candidate-lender.js';
import type { Sampler } from '../../sampler/sampler.js';
import type { ScoredPrompt, TopLogprob } from './events.js';
import { withBytes } from './top-logprobs.js';

export class PromptScorer {
  readonly #sampler: Sampler;
  readonly #tokenizer: Tokenizer;
  readonly #count: number;
  readonly #ids: readonly number[];
  readonly #logprobs: (number | null)[];
  readonly #entropies: (number | null)[];
  readonly #topLogprobs: (readonly TopLogprob[] | null)[];

  /**
   * @param sampler the request's, whose prompt is scored
   * @param count how many of the most likely ids to list
   */
  constructor(sampler: Sampler, tokenizer: Tokenizer, count: number) {
    this.#sampler = sampler;
    this.#tokenizer = tokenizer;
    this.#count = count;
    this.#ids = [...sampler.history.prompt];
    [this.#logprobs, this.#entropies, this.#topLogprobs] = [this.#nulls(), this.#nulls(), this.#nulls()];
  }

  /** What was looked at; null for the others. */
  get scored(): ScoredPrompt {
    return {
      ids: this.#ids,
      logprobs: this.#logprobs,
      entropies: this.#entropies,
      topLogprobs: this.#topLogprobs,
    };
  }

  /** Takes the logits before the id at `index` of the prompt, f32[V]. */
  look(index: number, logits: Float32Array): void {
    threadLender.lend(this.#sampler.numerics, logits, (candidates) => this.#score(index, logits, candidates));
  }

  #score(index: number, logits: Float32Array, candidates: CandidateSet): void {
    candidates.load(logits, 'generate');
    const scores = candidates.tapScores();
    const id = this.#ids[index] as number;
    const chosen = { id, logprob: scores.logprob(id) };
    this.#logprobs[index] = chosen.logprob;
    this.#topLogprobs[index] = withBytes(scores.best(this.#count), chosen, this.#tokenizer);
    this.#entropies[index] = candidates.entropy();
  }

  #nulls(): null[] {
    return this.#ids.map(() => null);
  }
}
