/**
 * The report as text: tables in Markdown.
 */
import { LLAMA_BARE } from './cell.mjs';
import { EXP_SUM, LIMITS } from './limits.mjs';
import { median } from './measure.mjs';
import { C_LOOP, LLAMA, NUMPY } from './peers.mjs';
import { slopeOfSorting } from './report.mjs';
import { NAIVE, OURS } from './subjects.mjs';
import { GARBAGE_TARGET, SLOPE_TARGET, TARGET_SIZE } from './targets.mjs';
import { TRANSFORMERS } from './transformers-js.mjs';
import { CONFIGURATIONS, VOCAB_SIZES } from './workload.mjs';

const COLUMNS = [...Object.values(OURS), TRANSFORMERS, LLAMA, LLAMA_BARE, NUMPY, NAIVE];
/** The passes of ours, and what an exact sum takes in C. */
const LIMIT_COLUMNS = [...LIMITS, C_LOOP];
const SLOPES = [...Object.values(OURS), EXP_SUM];

export function render(report) {
  return [
    heading(report),
    timesTable(report),
    `${TRANSFORMERS} ignores top_p and min_p without a word: its A is penalty, temperature and top_k, and its B and D would be C. It is asked for a token as its \`generate\` asks. ${LLAMA} and ${NUMPY} give no logprob here. B is on flat logits, the others on peaked ones.`,
    'Limits, milliseconds:',
    limitsTable(report),
    `Targets at V = ${count(TARGET_SIZE)}; a ratio is the median over the rounds of the ratio of the two medians in the round:`,
    targetsTable(report),
    `Time goes with V to the power of (medians; in brackets the least times); at most ${SLOPE_TARGET} is wanted of ours, a sort would give ${slopeOfSorting().toFixed(2)}:`,
    slopesTable(report),
    `Memory, bytes: what a token leaves to the collector, of which ${count(GARBAGE_TARGET)} is the most; what stays after so many tokens, and what a history alone keeps of the same ids (either give or take 90,000, as its arrays grow in steps):`,
    heapTable(report),
    `Batches of ${report.batches.rows} rows with logprobs at V = ${count(TARGET_SIZE)} (\`node bench/batches.mjs\`), tokens a second: by sampleBatch on one thread, and by SamplerPool with ${report.batches.threads} threads, and how many times as many the pool gives:`,
    batchesTable(report),
    `Memory of live requests at V = ${count(TARGET_SIZE)}, bytes: what ${count(report.live.requests)} requests of generateMany in turn take above one and a request of them, what stays after ${count(report.live.tokens)} tokens of them beside what their histories keep, what a sampler driven by hand holds until it is released, and what stays of 20 that were released:`,
    liveTable(report),
    'Decoding (`node bench/decoding.mjs`), milliseconds: a token of the loop alone behind so many ids, requests side by side on a model that waits, and beams of the embedded model; and how many times the first of them the last one is:',
    decodingTable(report),
    ...report.skipped,
  ].join('\n\n');
}

function heading({ quick, node, cpu, date, peers }) {
  const versions = Object.entries(peers).map(([name, version]) => `, ${name} ${version}`);
  const few = quick ? ' (few rounds: --quick)' : '';
  return `One token, medians in milliseconds${few}; Node ${node.slice(1)}, ${cpu}, ${date.slice(0, 10)}${versions.join('')}`;
}

function timesTable({ cells }) {
  const rows = cells.map(({ vocabSize, config, median: times }) => {
    return [count(vocabSize), config, ...COLUMNS.map((name) => milliseconds(times[name]))];
  });
  return table(['V', 'config', ...COLUMNS], rows);
}

/** Medians over the configurations. */
function limitsTable({ cells }) {
  const rows = VOCAB_SIZES.map((vocabSize) => {
    const own = cells.filter((cell) => cell.vocabSize === vocabSize);
    const times = LIMIT_COLUMNS.map((name) => own.map((cell) => cell.median[name]).filter((ms) => ms !== undefined));
    return [count(vocabSize), ...times.map((all) => milliseconds(all.length === 0 ? undefined : median(all)))];
  });
  return table(['V', ...LIMIT_COLUMNS], rows);
}

function targetsTable({ targets }) {
  const rows = targets.map(({ config, subject, peer, ratio, bound, met }) => {
    return [config, subject, peer, ratio === undefined ? '-' : ratio.toFixed(3), `<= ${bound}`, verdict(met)];
  });
  return table(['config', 'what', 'beside', 'ratio', 'target', 'met'], rows);
}

function slopesTable({ slopes, slopesMet }) {
  const rows = Object.keys(CONFIGURATIONS).map((config) => {
    const both = (name) => `${fixed(slopes.median[config][name])} (${fixed(slopes.least[config][name])})`;
    const met = slopesMet[config];
    return [config, ...SLOPES.map(both), `${verdict(met.median)} (${verdict(met.least)})`];
  });
  return table(['config', ...SLOPES, 'met'], rows);
}

function heapTable({ heap }) {
  const bytes = (value) => (value === undefined ? '-' : count(value));
  const rows = heap.map(({ config, method, garbage, met, tokens, growth, history }) => {
    return [config, method, count(Math.round(garbage)), verdict(met), ...[tokens, growth, history].map(bytes)];
  });
  return table(['config', 'call', 'garbage a token', 'met', 'tokens', 'growth', 'history alone'], rows);
}

function batchesTable({ batches }) {
  const rows = batches.configs.map(({ config, batch, pool }) => {
    const second = (tokens) => (tokens === undefined ? '-' : count(Math.round(tokens)));
    return [config, second(batch), second(pool), pool === undefined ? '-' : fixed(pool / batch)];
  });
  return table(['config', 'sampleBatch', 'SamplerPool', 'times'], rows);
}

function liveTable({ live }) {
  const bytes = (name) => count(Math.round(live[name]));
  const row = [
    ...[bytes('above'), bytes('request'), verdict(live.met)],
    ...[bytes('growth'), bytes('history'), verdict(live.flat)],
    ...[bytes('held'), bytes('released')],
  ];
  return table(['above one', 'a request', '<= 60 MB', 'growth', 'histories', 'flat', 'by hand', 'released'], [row]);
}

function decodingTable({ decoding: { loop, requests, beams } }) {
  const tokens = loop.tokens.map(({ length, ms }) => `${count(length)} ids: ${milliseconds(ms)}`).join(', ');
  const row = (what, times, { ratio, target, met }) => [what, times, fixed(ratio), `<= ${target}`, verdict(met)];
  const side = ({ one, all }) => `${milliseconds(one)}, ${milliseconds(all)}`;
  return table(
    ['what', 'milliseconds', 'times', 'target', 'met'],
    [
      row('a token of the loop, the longest text beside the shortest', tokens, loop),
      row(`${requests.count} requests of ${requests.wait} ms a call beside one`, side(requests), requests),
      row(`${beams.count} beams beside one`, side(beams), beams),
    ],
  );
}

function verdict(met) {
  if (met === undefined) return '-';
  return met ? 'yes' : 'NO';
}

function count(value) {
  return value.toLocaleString('en');
}

function fixed(value) {
  return value === undefined ? '-' : value.toFixed(2);
}

function milliseconds(value) {
  if (value === undefined) return '-';
  return value < 10 ? value.toFixed(3) : value.toFixed(1);
}

/** Its columns are aligned. */
function table(head, rows) {
  const widths = head.map((cell, i) => Math.max(cell.length, ...rows.map((row) => row[i].length)));
  const line = (row) => `| ${row.map((cell, i) => cell.padStart(widths[i])).join(' | ')} |`;
  return [line(head), `|${widths.map((width) => `${'-'.repeat(width + 1)}:`).join('|')}|`, ...rows.map(line)].join(
    '\n',
  );
}
