/**
 * What was measured, as one object for programs.
 */
import { cpus } from 'node:os';
import { defaultNumerics } from 'lockstep/numerics';
import { EXP_SUM } from './limits.mjs';
import { least, logLogSlope, median } from './measure.mjs';
import { OURS } from './subjects.mjs';
import { targetRows } from './targets.mjs';
import { CONFIGURATIONS, VOCAB_SIZES } from './workload.mjs';

/**
 * @param {import('./cell.mjs').Cell[]} cells
 * @param {{ quick: boolean, peers: object | undefined, heap: object[], live: object, decoding: object }} run
 */
export function summarize(cells, { quick, peers, heap, live, decoding }) {
  return {
    date: new Date().toISOString(),
    node: process.version,
    numerics: defaultNumerics().name,
    cpu: cpus()[0]?.model ?? 'unknown',
    quick,
    peers: peers?.versions ?? {},
    skipped: peers?.skipped ?? ['the peers are left out'],
    cells: cells.map(({ vocabSize, config, times }) => ({
      vocabSize,
      config,
      median: overCalls(times, median),
      least: overCalls(times, least),
    })),
    targets: targetRows(cells),
    slopes: { median: slopesOf(cells, median), least: slopesOf(cells, least) },
    heap,
    live,
    decoding,
  };
}

/** Milliseconds by subject. */
function overCalls(times, statistic) {
  return Object.fromEntries([...times].map(([name, rounds]) => [name, statistic(callsOf(rounds))]));
}

function callsOf(rounds) {
  return rounds.filter((calls) => calls !== undefined).flat();
}

/** The exponents of time over V, by configuration and subject: of ours, and of the limit, which is linear in its work. */
function slopesOf(cells, statistic) {
  const rows = Object.keys(CONFIGURATIONS).map((config) => {
    const own = cells.filter((cell) => cell.config === config);
    const slope = (name) =>
      logLogSlope(own.map(({ vocabSize, times }) => [vocabSize, statistic(callsOf(times.get(name)))]));
    return [config, Object.fromEntries([...Object.values(OURS), EXP_SUM].map((name) => [name, slope(name)]))];
  });
  return Object.fromEntries(rows);
}

/** What V log V would give over these sizes. */
export function slopeOfSorting() {
  return logLogSlope(VOCAB_SIZES.map((v) => [v, v * Math.log(v)]));
}
