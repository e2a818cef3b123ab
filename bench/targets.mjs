/**
 * The figures that the sampler is held to at V = 128,256, as ratios to what was measured in the same run, and the bounds of
 * its growth with V and of its garbage.
 */
import { BEFORE } from './before.mjs';
import { PLAIN_SUM } from './limits.mjs';
import { pairedRatio } from './measure.mjs';
import { C_LOOP, LLAMA } from './peers.mjs';
import { OURS } from './subjects.mjs';
import { TRANSFORMERS } from './transformers-js.mjs';

export const TARGET_SIZE = 128_256;

/** The largest slope of time over V, in logarithms. */
export const SLOPE_TARGET = 1.05;

/** The most that a token may leave to the collector, in bytes. */
export const GARBAGE_TARGET = 1024;

/** The configuration, what is timed, beside what, and the most that the ratio may be. */
const TARGETS = [
  ['A', OURS.id, TRANSFORMERS, 0.25],
  ['G', OURS.id, TRANSFORMERS, 0.25],
  ['A', OURS.id, LLAMA, 0.1],
  ['B', OURS.id, LLAMA, 0.05],
  ['C', OURS.id, LLAMA, 0.15],
  ['D', OURS.id, LLAMA, 0.18],
  ['G', OURS.id, LLAMA, 0.1],
  ['A', OURS.logprob, C_LOOP, 0.75],
  ['B', OURS.logprob, C_LOOP, 1],
  ['C', OURS.logprob, C_LOOP, 0.75],
  ['D', OURS.logprob, C_LOOP, 0.75],
  ['G', OURS.logprob, C_LOOP, 0.75],
];

/** Likewise, of the plain fallback beside the WebAssembly of an older build. */
const FALLBACK = [
  ['C', OURS.plainId, BEFORE.id, 1.2],
  ['C', PLAIN_SUM, BEFORE.sum, 1.2],
];

/**
 * A row for each figure; a ratio is undefined where the peer is missing, and `met` with it. Those of the fallback are left
 * out where there is no older build.
 * @param {import('./cell.mjs').Cell[]} cells
 */
export function targetRows(cells, hasBefore) {
  return [...TARGETS, ...(hasBefore ? FALLBACK : [])].map(([config, subject, peer, bound]) => {
    const { times } = cells.find((cell) => cell.vocabSize === TARGET_SIZE && cell.config === config);
    const ratio = pairedRatio(times.get(subject), times.get(peer));
    return { config, subject, peer, ratio, bound, met: ratio === undefined ? undefined : ratio <= bound };
  });
}

export function growsSlowly(slope) {
  return slope <= SLOPE_TARGET;
}
