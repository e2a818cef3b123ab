/**
 * A trace as a table: a row a step, with what it kept, what it changed, q, the draw and the walk.
 */
import type { Trace, TracedCandidates, TracedStep } from '../sampler/trace.js';
import { glue, type Row, textTable } from './text-table.js';

/** How much of a trace is shown: the entries of each list, and the characters of a line. */
export interface TraceSize {
  readonly rows: number;
  readonly width: number;
}

/** The table. A list is cut after its first entries, which says how many there were. */
export function renderTrace(trace: Trace, { rows: shown, width }: TraceSize): string {
  const rows: Row[] = [
    ['step', 'what happens', 'result'],
    ['widen', `V = ${trace.vocabSize}`, logits(trace.start, shown)],
  ];
  trace.steps.forEach((step, index) => {
    if (index === trace.tap) rows.push(...logprobRows(trace));
    rows.push(...stepRows(step, shown));
  });
  if (trace.tap === trace.steps.length) rows.push(...logprobRows(trace));
  rows.push(...endRows(trace, shown));
  return textTable(rows, width);
}

function logprobRows({ token, scores }: Trace): Row[] {
  const what = `M = ${number(scores.max)}, Z = ${number(scores.total)} over all ids`;
  return [['logprob', what, `id ${token.id}: ${number(token.logprob)}`]];
}

function stepRows(step: TracedStep, shown: number): Row[] {
  if (!step.ran) return [[step.name, 'off', 'unchanged']];
  const rows: Row[] = [
    [
      step.name,
      `${options(step)}; keeps ${step.kept} of ${step.of}`,
      `{${list(
        step.after.map(({ id }) => `${id}`),
        shown,
      )}}`,
    ],
  ];
  if (step.kept < step.of)
    rows.push([
      '',
      `order ${list(
        step.before.map((c) => glue(`(${number(c.logit)}, ${c.id})`)),
        shown,
        ' ',
      )}`,
      '',
    ]);
  if (step.kept < step.of)
    rows.push(['', `q ${probabilities(step.before, shown)}`, `s ${list(sums(step.before), shown)}`]);
  if (step.kept < step.of || step.changed > 0) rows.push(['', removal(step), entropies(step)]);
  if (step.changed > 0) rows.push(['', `changes ${step.changed} logits`, logits(step.after, shown)]);
  return rows;
}

function removal({ removedMass, threshold }: TracedStep): string {
  if (threshold === undefined) return 'removes none';
  return `removes q = ${number(removedMass)}; the least likely kept had ${number(threshold)}`;
}

function entropies({ entropy }: TracedStep): string {
  return entropy === undefined ? '' : `entropy ${number(entropy.before)} to ${number(entropy.after)} nats`;
}

function endRows({ draw, token, steps, start }: Trace, shown: number): Row[] {
  const result = `id ${token.id}, logprob ${number(token.logprob)}`;
  if (draw === undefined) return [['greedy', 'the largest logit, ties to the lowest id; no draw', result]];
  const last = steps.findLast((step) => step.ran)?.after ?? start;
  return [
    ['softmax', `over ${last.length} kept`, `q ${probabilities(last, shown)}`],
    ['draw', 'one uniform', `u = ${number(draw.u)}`],
    [
      'inverse CDF',
      ends(
        draw.walk.map(({ id, c }) => glue(`c = ${number(c)} at ${id}`)),
        shown,
      ),
      result,
    ],
  ];
}

function options(step: TracedStep): string {
  return Object.entries(step.options)
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ');
}

/** Logits in ascending id order when they are all shown, else the first by rank with their ids. */
function logits(candidates: TracedCandidates, shown: number): string {
  if (candidates.length > shown)
    return `l ${list(
      candidates.map(({ id, logit }) => glue(`${id}: ${number(logit)}`)),
      shown,
    )}`;
  const byId = [...candidates].sort((a, b) => a.id - b.id);
  return `l [${byId.map(({ logit }) => number(logit)).join(', ')}]`;
}

function probabilities(candidates: TracedCandidates, shown: number): string {
  return list(
    candidates.map(({ q }) => number(q)),
    shown,
  );
}

/** The running sum of q in rank order. */
function sums(candidates: TracedCandidates): string[] {
  let s = 0;
  return candidates.map(({ q }) => {
    s += q;
    return number(s);
  });
}

function list(entries: readonly string[], shown: number, separator = ', '): string {
  if (entries.length <= shown) return entries.join(separator);
  return `${entries.slice(0, shown).join(separator)}${separator}… (${entries.length})`;
}

/** A list whose last entry matters: it stays. */
function ends(entries: readonly string[], shown: number): string {
  if (entries.length <= shown) return entries.join(', ');
  return [...entries.slice(0, shown - 1), `… (${entries.length})`, entries.at(-1)].join(', ');
}

/** Five decimals, and fewer where they are zeros. */
function number(x: number): string {
  return Number.isFinite(x) ? `${Number(x.toFixed(5))}` : `${x}`;
}
