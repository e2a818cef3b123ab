import { type Candidates, InvalidValueError } from '../contract.js';
import { checkWithin, someIds } from '../masks/parts/ids.js';
import { tokenizerVersion } from '../masks/parts/text-ids.js';
import { Processor, processor } from '../processor.js';
import type { Tokenizer } from '../tokenizer.js';
import { TOKENS } from '../tokens.js';
import * as z from '../zod.js';
import { type MergedCandidate, mergePrefixes } from './parts/merge-prefixes.js';

const OWNER = 'Infill';
/** What an id must have to be thought of, and how much less likely than that the end may be. */
const LEAST = 0.2;
const END_WEIGHT = 3;
/** Every text is compared with every other. */
const MOST = 4096;

export const infillOptions = z.strictObject({ end_ids: someIds() });

/**
 * Infill: for text in a gap of another one, that ends rather than goes on where the model is not sure how.
 *
 * With q the softmax over K, n = |K|, E the sum of q over the end ids, T that over the others, by ascending id: where 3 E n > T,
 * only end ids stay. Else, by rank, q is gathered: of two ids where the text of one begins with that of the other the likelier
 * gets the q of both, of equal ones the shorter, and the other goes. Of what is left the end ids stay, and, with m the number of
 * others that have q >= 0.2, those of them with q >= 1 / (m + 1), q over these and the end ids divided by its sum. For m = 0 the
 * likeliest end id stays alone, or, without one in K, the best id. What stays keeps its logit. It is to stand behind top-k and
 * top-p: refused for more than 4096 candidates, and, at any token, for an end id that is not below V.
 * Source: llama.cpp, llama_sampler_init_infill, pull request 9896. Elsewhere: the sampler `infill`, for fill-in-the-middle.
 * Differs from llama.cpp: where m = 0, no end id comes back that is not in K.
 * Example: { "use": "infill", "end_ids": [151643, 151645] }
 */
@processor({ name: 'infill', options: infillOptions, stage: 'policy', leavesOne: true, inject: [TOKENS.tokenizer] })
export class Infill extends Processor<typeof infillOptions> {
  /** Whose texts are compared. */
  readonly version: string;
  readonly #tokenizer: Tokenizer;
  readonly #ends = new Set(this.options.end_ids);

  constructor(options: z.input<typeof infillOptions>, tokenizer: Tokenizer) {
    super(options);
    this.#tokenizer = tokenizer;
    this.version = tokenizerVersion(tokenizer);
  }

  process(candidates: Candidates): void {
    const { vocabSize, size } = candidates;
    checkWithin(this.options.end_ids, vocabSize, OWNER, 'end_ids');
    if (size > MOST) {
      const domain = `at most ${MOST} kept ids: put top-k in front`;
      throw new InvalidValueError(OWNER, 'candidates', domain, size);
    }
    if (this.#isAtEnd(candidates)) candidates.keepIds((id) => this.#ends.has(id));
    else this.#keepSure(candidates);
  }

  #isAtEnd(candidates: Candidates): boolean {
    const ids = candidates.ids();
    const q = candidates.probabilities();
    let end = 0;
    let text = 0;
    for (let i = 0; i < ids.length; i++) {
      if (this.#ends.has(ids[i] as number)) end += q[i] as number;
      else text += q[i] as number;
    }
    return END_WEIGHT * end * ids.length > text;
  }

  #keepSure(candidates: Candidates): void {
    const merged = mergePrefixes(this.#ranked(candidates));
    const ends = merged.filter(({ id }) => this.#ends.has(id));
    const texts = merged.filter(({ id, q }) => !this.#ends.has(id) && q >= LEAST);
    if (texts.length === 0) {
      const alone = ends[0]?.id ?? candidates.idAtRank(0);
      candidates.keepIds((id) => id === alone);
      return;
    }
    const total = merged.filter((one) => ends.includes(one) || texts.includes(one)).reduce((sum, { q }) => sum + q, 0);
    const least = 1 / (texts.length + 1);
    const kept = new Set([...ends, ...texts.filter(({ q }) => q / total >= least)].map(({ id }) => id));
    candidates.keepIds((id) => kept.has(id));
  }

  #ranked(candidates: Candidates): MergedCandidate[] {
    const { ids, probabilities } = candidates.ranked(candidates.size);
    return Array.from(ids, (id, rank) => ({ id, q: probabilities[rank] as number, bytes: this.#bytes(id) }));
  }

  #bytes(id: number): Uint8Array {
    return id < this.#tokenizer.vocabSize ? this.#tokenizer.tokenBytes(id) : new Uint8Array(0);
  }
}
