/**
 * The figures that the sampler is held to at V = 128,256, as ratios to what was measured in the same run.
 */
import { EXP_SUM } from './limits.mjs';
import { pairedRatio } from './measure.mjs';
import { LLAMA } from './peers.mjs';
import { OURS } from './subjects.mjs';
import { TRANSFORMERS } from './transformers-js.mjs';

export const TARGET_SIZE = 128_256;

/** The fallback may take this many times as long. */
const PLAIN_FACTOR = 4;

/** The largest slope of time over V, in logarithms. */
export const SLOPE_TARGET = 1.05;

/** `aim` is where we want to be, `bound` where we must be. */
const TARGETS = [
  ['A', 'id', TRANSFORMERS, 0.25],
  ['A', 'id', LLAMA, undefined, 0.1],
  ['A', 'logprob', EXP_SUM, 1.3],
  ['B', 'id', EXP_SUM, 2.2],
  ['B', 'id', LLAMA, undefined, 0.1],
  ['B', 'logprob', EXP_SUM, 2.2],
  ['C', 'id', EXP_SUM, 1.5],
  ['C', 'logprob', EXP_SUM, 1.6],
  ['D', 'id', LLAMA, 0.35],
  ['D', 'logprob', EXP_SUM, 1.3],
  ['G', 'id', TRANSFORMERS, 0.25],
  ['G', 'logprob', EXP_SUM, 1.3],
];

const PLAIN = { id: OURS.plainId, logprob: OURS.plainLogprob };

/**
 * A row for each figure; a ratio is undefined where the peer is missing, a `met` where there is nothing to meet.
 * @param {import('./cell.mjs').Cell[]} cells
 */
export function targetRows(cells) {
  return TARGETS.map(([config, form, peer, bound, aim]) => {
    const { times } = cells.find((cell) => cell.vocabSize === TARGET_SIZE && cell.config === config);
    const ratio = pairedRatio(times.get(OURS[form]), times.get(peer));
    const plainRatio = pairedRatio(times.get(PLAIN[form]), times.get(peer));
    const limit = bound ?? aim;
    return {
      config,
      form,
      peer,
      ratio,
      bound,
      aim,
      met: ratio === undefined ? undefined : ratio <= limit,
      plainRatio,
      plainBound: PLAIN_FACTOR * limit,
      plainMet: plainRatio === undefined ? undefined : plainRatio <= PLAIN_FACTOR * limit,
    };
  });
}
