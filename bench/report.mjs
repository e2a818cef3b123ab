/**
 * What was measured, as tables for people and as JSON for programs.
 */
import { cpus } from 'node:os';
import { defaultNumerics } from 'lockstep';
import { least, logLogSlope, median } from './measure.mjs';
import { CONFIGURATIONS, VOCAB_SIZES } from './workload.mjs';

const LIMITS = ['max', 'Math.exp', 'exp+sum', 'kernel'];

/**
 * One vocabulary size and one configuration, in milliseconds a token: medians, the least of ours, and every call of the
 * limits.
 * @typedef {{ vocabSize: number, config: string, ours: number, oursLeast: number, naive: number, expSum: number, kernel: number }} Times
 * @typedef {Times & { limits: Record<string, number[]> }} Cell
 */

/** The whole report as one object. */
export function summarize(cells, quick) {
  return {
    date: new Date().toISOString(),
    node: process.version,
    numerics: defaultNumerics().name,
    cpu: cpus()[0]?.model ?? 'unknown',
    quick,
    cells: cells.map(({ limits, ...times }) => {
      const { ours, naive, expSum, kernel } = times;
      return { ...times, naiveOverOurs: naive / ours, oursOverExpSum: ours / expSum, oursOverKernel: ours / kernel };
    }),
    limits: VOCAB_SIZES.map((vocabSize) => ({ vocabSize, ...limitsOf(cells, vocabSize) })),
    slopes: slopesOf(cells),
  };
}

/** The limits of one vocabulary size: medians over all its cells. */
function limitsOf(cells, vocabSize) {
  const own = cells.filter((cell) => cell.vocabSize === vocabSize);
  return Object.fromEntries(LIMITS.map((name) => [name, median(own.flatMap(({ limits }) => limits[name]))]));
}

/**
 * The exponents of time over V: of each configuration, and of exp+sum, which is linear by construction. From the least
 * times: on a busy machine a long call is interrupted more often than a short one, which a median would show as a slope.
 */
function slopesOf(cells) {
  const slope = (own, time) => logLogSlope(own.map((cell) => [cell.vocabSize, time(cell)]));
  const names = Object.keys(CONFIGURATIONS);
  const groups = names.map((config) => cells.filter((cell) => cell.config === config));
  return Object.fromEntries([
    ...names.map((config, i) => [config, slope(groups[i], ({ oursLeast }) => oursLeast)]),
    ['exp+sum', slope(cells, ({ limits }) => least(limits['exp+sum']))],
  ]);
}

/** The report as text. */
export function render(report) {
  const cells = report.cells.map((cell) => [
    cell.vocabSize.toLocaleString('en'),
    cell.config,
    milliseconds(cell.ours),
    milliseconds(cell.oursLeast),
    milliseconds(cell.naive),
    cell.naiveOverOurs.toFixed(0),
    cell.oursOverExpSum.toFixed(2),
    cell.oursOverKernel.toFixed(2),
  ]);
  const limits = report.limits.map((row) => [
    row.vocabSize.toLocaleString('en'),
    ...LIMITS.map((name) => milliseconds(row[name])),
  ]);
  return [
    `One token, medians in milliseconds (least: the fastest call of ours); Node ${report.node.slice(1)}, ${report.cpu}, ${report.date.slice(0, 10)}`,
    table(['V', 'config', 'ours', 'least', 'naive', 'naive / ours', 'ours / (exp+sum)', 'ours / kernel'], cells),
    `Limits: the maximum of V, V times Math.exp, V times our exp with the sequential sum (in JavaScript; by the kernel: ${report.numerics})`,
    table(['V', ...LIMITS], limits),
    `The least time goes with V to the power of: ${slopeLine(report.slopes)}`,
    `(1.00 is linear, V log V over this range is ${vLogV().toFixed(2)}; caches that overflow show up here too)`,
  ].join('\n\n');
}

function slopeLine(slopes) {
  return Object.entries(slopes)
    .map(([name, slope]) => `${name} ${slope.toFixed(2)}`)
    .join(', ');
}

function vLogV() {
  return logLogSlope(VOCAB_SIZES.map((v) => [v, v * Math.log(v)]));
}

function milliseconds(value) {
  return value < 10 ? value.toFixed(3) : value.toFixed(1);
}

/** A Markdown table with its columns aligned. */
function table(head, rows) {
  const widths = head.map((cell, i) => Math.max(cell.length, ...rows.map((row) => row[i].length)));
  const line = (row) => `| ${row.map((cell, i) => cell.padStart(widths[i])).join(' | ')} |`;
  return [line(head), `|${widths.map((width) => `${'-'.repeat(width + 1)}:`).join('|')}|`, ...rows.map(line)].join(
    '\n',
  );
}
