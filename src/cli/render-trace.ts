/**
 * A trace as a table: a row a step, with what it kept, what it changed, q, the draw and the walk.
 */
import type { Trace, TracedCandidates, TracedStep } from '../sampler/trace.js';

const SHOWN = 8;

type Row = readonly [step: string, what: string, result: string];

/** The table, a line a row; long lists are cut after the first few. */
export function renderTrace(trace: Trace): string {
  const rows: Row[] = [
    ['step', 'what happens', 'result'],
    ['widen', `V = ${trace.vocabSize}`, logits(trace.start)],
  ];
  trace.steps.forEach((step, index) => {
    if (index === trace.tap) rows.push(...logprobRows(trace));
    rows.push(...stepRows(step));
  });
  if (trace.tap === trace.steps.length) rows.push(...logprobRows(trace));
  rows.push(...endRows(trace));
  return align(rows);
}

function logprobRows({ token, scores }: Trace): Row[] {
  const what = `M = ${number(scores.max)}, Z = ${number(scores.total)} over all ids`;
  return [['logprob', what, `id ${token.id}: ${number(token.logprob)}`]];
}

function stepRows(step: TracedStep): Row[] {
  if (!step.ran) return [[step.name, 'off', 'unchanged']];
  const rows: Row[] = [
    [step.name, `${options(step)}; keeps ${step.kept} of ${step.of}`, `{${list(step.after.map(({ id }) => `${id}`))}}`],
  ];
  if (step.kept < step.of)
    rows.push([
      '',
      `order ${list(
        step.before.map((c) => `(${number(c.logit)}, ${c.id})`),
        ' ',
      )}`,
      '',
    ]);
  if (step.kept < step.of) rows.push(['', `q ${probabilities(step.before)}`, `s ${list(sums(step.before))}`]);
  if (step.changed > 0) rows.push(['', `changes ${step.changed} logits`, logits(step.after)]);
  return rows;
}

function endRows({ draw, token, steps, start }: Trace): Row[] {
  const result = `id ${token.id}, logprob ${number(token.logprob)}`;
  if (draw === undefined) return [['greedy', 'the largest logit, ties to the lowest id; no draw', result]];
  const last = steps.findLast((step) => step.ran)?.after ?? start;
  return [
    ['softmax', `over ${last.length} kept`, `q ${probabilities(last)}`],
    ['draw', 'one uniform', `u = ${number(draw.u)}`],
    ['inverse CDF', list(draw.walk.map(({ id, c }) => `c = ${number(c)} at ${id}`)), result],
  ];
}

function options(step: TracedStep): string {
  return Object.entries(step.options)
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ');
}

/** Logits in ascending id order when they are all shown, else the first by rank with their ids. */
function logits(candidates: TracedCandidates): string {
  if (candidates.length > SHOWN) return `l ${list(candidates.map(({ id, logit }) => `${id}: ${number(logit)}`))}`;
  const byId = [...candidates].sort((a, b) => a.id - b.id);
  return `l [${byId.map(({ logit }) => number(logit)).join(', ')}]`;
}

function probabilities(candidates: TracedCandidates): string {
  return list(candidates.map(({ q }) => number(q)));
}

/** The running sum of q in rank order. */
function sums(candidates: TracedCandidates): string[] {
  let s = 0;
  return candidates.map(({ q }) => {
    s += q;
    return number(s);
  });
}

function list(entries: readonly string[], separator = ', '): string {
  const shown = entries.slice(0, SHOWN).join(separator);
  return entries.length > SHOWN ? `${shown}${separator}… (${entries.length})` : shown;
}

/** Five decimals, and fewer where they are zeros. */
function number(x: number): string {
  return Number.isFinite(x) ? `${Number(x.toFixed(5))}` : `${x}`;
}

function align(rows: readonly Row[]): string {
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => (row[column] as string).length)));
  const lines = rows.map(([step, what, result]) =>
    `${step.padEnd(widths[0] as number)}  ${what.padEnd(widths[1] as number)}  ${result}`.trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}
