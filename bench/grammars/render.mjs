/**
 * The report as tables in Markdown.
 */
import { OURS } from './ours.mjs';

/** What is held to, in milliseconds at V = 128,256. */
const TARGETS = [
  ['compile', 'p50', 3],
  ['compile', 'p99', 60],
  ['mask', 'p50', 0.03],
  ['mask', 'p99', 1.5],
];
const MOST_ADDED = 0.1;
const QUANTILES = ['p50', 'p90', 'p99', 'max'];

export function renderGrammars(report) {
  return [
    `Grammars at V = 128,256: ${report.schemas} real schemas, ${report.ids} ids of texts that fit them; Node ${report.node.slice(1)}, ${report.date.slice(0, 10)}`,
    ...ratioTables(report),
    'Milliseconds (p50 / p90 / p99 / max):',
    timesTable(report),
    'Targets:',
    targetsTable(report),
  ].join('\n\n');
}

function ratioTables({ ratios, vocabulary, generation }) {
  return Object.entries(ratios).flatMap(([name, { schemas, compile, mask, advance }]) => {
    const row = (what, by) => [what, ...QUANTILES.map((q) => by[q].toPrecision(2))];
    const [ours, theirs] = [vocabulary[OURS], vocabulary[name]];
    const one = (value) => [value.toPrecision(2), '', '', ''];
    return [
      `Lockstep's times as multiples of those of ${name}, over the ${schemas} schemas that both were given and took:`,
      table(
        ['', ...QUANTILES],
        [
          row('compile', compile),
          row('mask', mask),
          row('advance', advance),
          ['vocabulary, time', ...one(ours.milliseconds / theirs.milliseconds)],
          ['vocabulary, memory', ...one(ours.bytes / theirs.bytes)],
          ['a token of `generate`', ...one(generation[OURS].token / generation[name].token)],
        ],
      ),
    ];
  });
}

function timesTable({ compile, mask, advance, vocabulary, generation, taken }) {
  const names = Object.keys(compile);
  const four = (by) => QUANTILES.map((q) => milliseconds(by[q])).join(' / ');
  return table(
    ['', ...names],
    [
      ['schemas', ...names.map((name) => String(taken[name]))],
      ['compile', ...names.map((name) => four(compile[name]))],
      ['mask', ...names.map((name) => four(mask[name]))],
      ['advance', ...names.map((name) => four(advance[name]))],
      [
        'vocabulary',
        ...names.map(
          (name) => `${vocabulary[name].milliseconds.toFixed(0)}, ${(vocabulary[name].bytes / 1e6).toFixed(0)} MB`,
        ),
      ],
      [
        `a token of \`generate\` (without a grammar ${milliseconds(generation.without)})`,
        ...names.map((name) => milliseconds(generation[name].token)),
      ],
    ],
  );
}

function targetsTable(report) {
  const rows = TARGETS.map(([part, q, most]) => [`${part} ${q}`, report[part][OURS][q], most]);
  rows.push(['added to a token of `generate`', report.generation[OURS].adds, MOST_ADDED]);
  return table(
    ['', 'milliseconds', 'at most', 'met'],
    rows.map(([what, is, most]) => [what, milliseconds(is), String(most), is <= most ? 'yes' : 'NO']),
  );
}

function milliseconds(value) {
  return value >= 10 ? value.toFixed(0) : value.toPrecision(2);
}

function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n');
}
