/**
 * What was measured, as one object for programs.
 */
import { cpus } from 'node:os';
import { defaultNumerics } from 'lockstep/numerics';
import { EXP_SUM } from './limits.mjs';
import { least, logLogSlope, median } from './measure.mjs';
import { OURS } from './subjects.mjs';
import { growsSlowly, targetRows } from './targets.mjs';
import { CONFIGURATIONS, VOCAB_SIZES } from './workload.mjs';

/**
 * @param {import('./cell.mjs').Cell[]} cells
 * @param {{ quick: boolean, peers: object | undefined, before: string | undefined }} run and what `sampler.mjs` measured
 * apart, which is reported as it is
 */
export function summarize(cells, { quick, peers, before, ...apart }) {
  return {
    date: new Date().toISOString(),
    node: process.version,
    numerics: defaultNumerics().name,
    cpu: cpus()[0]?.model ?? 'unknown',
    quick,
    peers: peers?.versions ?? {},
    skipped: skippedOf(peers, before, apart),
    cells: cells.map(({ vocabSize, config, times }) => ({
      vocabSize,
      config,
      median: overCalls(times, median),
      least: overCalls(times, least),
    })),
    targets: targetRows(cells, before !== undefined),
    slopes: { median: slopesOf(cells, median), least: slopesOf(cells, least) },
    slopesMet: slopesMet(cells),
    ...apart,
  };
}

/** A line for each thing that is not measured. */
function skippedOf(peers, before, { batches }) {
  return [
    ...(peers?.skipped ?? ['the peers are left out']),
    ...(before === undefined ? ['the fallback beside an older build is left out: `--before` names none'] : []),
    ...(batches.reason === undefined ? [] : [batches.reason]),
  ];
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

/** Whether every form of ours grows slowly enough, by configuration: by the medians and by the least times. */
function slopesMet(cells) {
  const [medians, leasts] = [slopesOf(cells, median), slopesOf(cells, least)];
  const met = (slopes) => Object.values(OURS).every((name) => growsSlowly(slopes[name]));
  return Object.fromEntries(
    Object.keys(CONFIGURATIONS).map((config) => [config, { median: met(medians[config]), least: met(leasts[config]) }]),
  );
}

/** What V log V would give over these sizes. */
export function slopeOfSorting() {
  return logLogSlope(VOCAB_SIZES.map((v) => [v, v * Math.log(v)]));
}
