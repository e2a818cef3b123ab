/**
 * Logits without a copy: an engine writes them where the sampler reads them.
 */

import { checkVocabSize } from '../logits.js';
import { defaultNumerics } from '../numerics/default-numerics.js';
import { threadLender } from './candidate-lender.js';

/**
 * Lends an array for the logits of the next token, f32[V], to be written in full and given to `sample`, `sampleId` or
 * `distribution` of any sampler of this thread. With the numerics of those who choose none it lies where the passes over the
 * vocabulary work, so that nothing is copied; with others it is copied like any array.
 *
 * It is lent for one token: what it holds at first and after the token is undefined, and a sampler refuses it from then on, by
 * name, as it does when another call of `logitsBuffer` or other logits took its place. After logits that were refused it may be
 * mended and given again. It is the only input that a sampler writes to.
 *
 * @param vocabSize V, an integer in [1, 16777216]
 */
export function logitsBuffer(vocabSize: number): Float32Array {
  return threadLender.buffer(defaultNumerics(), checkVocabSize('logitsBuffer', vocabSize));
}
