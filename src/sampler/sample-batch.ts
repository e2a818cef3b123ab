/**
 * One token for each of several requests, from the rows of a batch.
 *
 * Requests share nothing: a row gives what its sampler would give alone, bit for bit, in any order and batch size. A row
 * that is refused (its logits, its parameters) does not disturb the others: its place holds the error.
 */
import type { Logits } from '../candidates/logits.js';
import { InvalidValueError } from '../errors.js';
import type { SampledToken, Sampler } from './sampler.js';

/**
 * Samples row i with samplers[i].
 * @param rows f32[B, V] in row-major order, or B rows of their own, which may differ in V
 * @param samplers B samplers, each once
 * @returns B tokens, or the refusal in the place of a row that was refused. Throws for a batch that does not fit
 * together, before anything is sampled.
 */
export function sampleBatch(
  rows: Float32Array | readonly Logits[],
  samplers: readonly Sampler[],
): (SampledToken | InvalidValueError)[] {
  const each = rows instanceof Float32Array ? splitRows(rows, samplers.length) : rows;
  if (!Array.isArray(each) || each.length !== samplers.length) {
    throw new InvalidValueError('sampleBatch', 'rows', `${samplers.length} rows, one for each sampler`, rows);
  }
  const twice = samplers.findIndex((sampler, i) => samplers.indexOf(sampler) !== i);
  if (twice >= 0) throw new InvalidValueError('sampleBatch', `samplers[${twice}]`, 'in the batch once', 'twice');
  return samplers.map((sampler, i) => sampleRow(sampler, each[i] as Logits));
}

function sampleRow(sampler: Sampler, row: Logits): SampledToken | InvalidValueError {
  try {
    return sampler.sample(row);
  } catch (error) {
    if (error instanceof InvalidValueError) return error;
    throw error;
  }
}

/** Views of the rows of a matrix. */
function splitRows(matrix: Float32Array, count: number): Float32Array[] {
  if (count === 0 || matrix.length % count !== 0) {
    throw new InvalidValueError('sampleBatch', 'rows', `f32[${count}, V], a multiple of ${count} logits`, matrix);
  }
  const length = matrix.length / count;
  return Array.from({ length: count }, (_, i) => matrix.subarray(i * length, (i + 1) * length));
}
