/**
 * One token for each of several requests, from the rows of a batch.
 *
 * Requests share nothing: a row gives what its sampler would give alone, bit for bit, in any order and batch size. A row
 * that fails (its logits, its sampler, a step that throws) does not disturb the others: its place holds the error.
 */

import { InvalidValueError } from '../errors.js';
import { readArray, readable } from '../inputs.js';
import { isArray, isFloat32Array } from '../kinds.js';
import type { Logits } from '../logits.js';
import { type BatchReadingInput, type BatchToken, checkReading, sampleRow } from './sample-row.js';
import { isSampler, type Sampler } from './sampler.js';

const OWNER = 'sampleBatch';

/**
 * Samples row i with samplers[i]. The samplers' arrays are given back row by row, so that a batch of any size works in
 * those of one: what is wanted of a token beside its logprob is asked for with `reading`, as a sampler that has given them
 * back refuses to answer.
 * @param rows f32[B, V] in row-major order, or B rows of their own, which may differ in V
 * @param samplers B samplers, each once
 * @param reading `entropy` and `topLogprobs`: what to say of each token
 * @returns B tokens, or in the place of a row that failed its error: what was thrown, wrapped in an `Error` (its `cause`)
 * where it is none. Throws for a batch that does not fit together, before anything is sampled.
 */
export function sampleBatch(
  rows: Float32Array | readonly Logits[],
  samplers: readonly Sampler[],
  reading: BatchReadingInput = {},
): (BatchToken | Error)[] {
  const all = readArray(OWNER, 'samplers', 'an array of samplers', samplers, (sampler) => sampler as Sampler);
  const each = isFloat32Array(rows) ? splitRows(rows, all.length) : rows;
  if (!isArray(each) || readable(OWNER, 'rows', each, () => each.length) !== all.length) {
    throw new InvalidValueError(OWNER, 'rows', `${all.length} rows, one for each sampler`, rows);
  }
  const own = readArray(OWNER, 'rows', 'an array of rows', each, (row) => row as Logits);
  const twice = all.findIndex((sampler, i) => isSampler(sampler) && all.indexOf(sampler) !== i);
  if (twice >= 0) throw new InvalidValueError(OWNER, `samplers[${twice}]`, 'in the batch once', 'twice');
  const checked = checkReading(OWNER, reading);
  return all.map((sampler, i) => sampleRow(sampler, own[i] as Logits, checked, i));
}

/** Views of the rows of a matrix. */
function splitRows(matrix: Float32Array, count: number): Float32Array[] {
  if (count === 0 || matrix.length === 0 || matrix.length % count !== 0) {
    throw new InvalidValueError(OWNER, 'rows', `f32[${count}, V], a multiple of ${count} logits`, matrix);
  }
  const length = matrix.length / count;
  return Array.from({ length: count }, (_, i) => matrix.subarray(i * length, (i + 1) * length));
}
