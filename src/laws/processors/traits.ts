/**
 * Laws that hold for some processors and not for others: who declares one is tried on it.
 *
 * They are tried on logits in steps of 1/64, on which a shift by a whole number is exact.
 */
import { demand } from '../law-error.js';
import type { Example } from './example.js';
import { type Run, run } from './run.js';

/** A law that a processor may declare. */
export type Trait = 'monotone' | 'shift-invariant' | 'argmax-invariant' | 'idempotent';

export const TRAITS: Readonly<Record<Trait, (example: Example) => void>> = {
  monotone,
  'shift-invariant': shiftInvariant,
  'argmax-invariant': argmaxInvariant,
  idempotent,
};

const SHIFT = 8;
const STEPS = 64;
/** What rounding may do to a logit or a probability. */
const ROUNDING = 1e-9;

/** No id passes a more likely one: of two, the one with the larger logit stays if the other does, and not below it. */
function monotone(example: Example): void {
  const { before, logits, ids } = runOn(example, (l) => l);
  const byLogit = Array.from(before.keys()).sort((a, b) => (before[b] as number) - (before[a] as number));
  let least = Infinity; // of the ids above the present group of equals
  let group = Infinity;
  for (let i = 0; i < byLogit.length && ids.length > 0; i++) {
    const id = byLogit[i] as number;
    if (i > 0 && before[id] !== before[byLogit[i - 1] as number]) least = Math.min(least, group);
    const after = logits[id] as number;
    demand(after <= least, () => `id ${id} passes a more likely one`);
    group = Math.min(group, after);
  }
}

/** Adding the same number to all logits changes no probability. */
function shiftInvariant(example: Example): void {
  const plain = runOn(example, (l) => l);
  demandClose(runOn(example, (l) => l + SHIFT).probabilities, plain.probabilities, `after a shift by ${SHIFT}`);
}

/** A most likely id stays a most likely one. */
function argmaxInvariant(example: Example): void {
  const { before, logits } = runOn(example, (l) => l);
  const best = largest(before);
  const after = largest(logits);
  demand(
    before.some((l, id) => l === best && logits[id] === after),
    'none of the most likely ids is one still',
  );
}

/** The second time changes nothing that the first one left. */
function idempotent(example: Example): void {
  const once = runOn(example, (l) => l);
  const twice = run(example.fresh(), { ...example, rows: [once.logits as never] }, 0, undefined, 'float64');
  demandClose(twice.logits, once.logits, 'the second time');
}

function runOn(example: Example, change: (logit: number) => number): Run {
  const row = (example.rows[0] as Float32Array).map((l) => change(Math.round(l * STEPS) / STEPS));
  return run(example.fresh(), { ...example, rows: [row] }, 0, undefined, 'plain');
}

function largest(logits: Float64Array): number {
  return logits.reduce((best, l) => Math.max(l, best), -Infinity);
}

function demandClose(found: Float64Array, expected: Float64Array, when: string): void {
  const wrong = found.findIndex((x, id) => {
    const y = expected[id] as number;
    return x !== y && !(Math.abs(x - y) <= ROUNDING * (1 + Math.abs(y)));
  });
  demand(wrong < 0, () => `id ${wrong} has ${found[wrong]}, not ${expected[wrong]}, ${when}`);
}
