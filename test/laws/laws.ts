/**
 * What every processor must obey, as one suite: `processorLaws(name, make)`.
 *
 * `make` gives a processor with valid options, drawn from the generator it is handed; the same state of the generator
 * must give the same options. Give it to a processor of your own:
 *
 *     processorLaws('top-a', (random) => new TopA({ a: random.uniform() }));
 *
 * It depends on the public entry point alone. LAW_CASES says how many processors a law tries (default 40).
 */
import { describe, expect, it } from 'vitest';
import type { JsonValue, LogitsProcessor } from '../../processors/index.js';
import { CandidateSet, TokenHistory } from '../../src/core.js';
import { defaultNumerics, exactNumerics } from '../../src/numerics/index.js';
import { Pcg32 } from '../../src/random/index.js';

export type MakeProcessor = (random: Pcg32) => LogitsProcessor;

const CASES = Number(process.env.LAW_CASES ?? 40);

/** Each law by its sentence; it throws for a processor that breaks it. */
export const LAWS: Readonly<Record<string, (make: MakeProcessor) => void>> = {
  'no NaN and no +Infinity comes out': (make) => each(make, noNaN),
  'K never grows and never empties': (make) => each(make, shrinks),
  'the same bits come out twice, and from float64 logits': (make) => each(make, sameBitsTwice),
  '`process` changes no state, of its own or of the history': (make) => each(make, changesNoState),
  'to save, restore and go on is to go on': (make) => each(make, restores),
  'what is off changes no bit': (make) => each(make, offChangesNothing),
  'as many uniforms are drawn as declared, whatever the logits': (make) => each(make, drawsAsDeclared),
};

/** Declares the laws for the processors that `make` gives. */
export function processorLaws(name: string, make: MakeProcessor): void {
  describe(`the laws hold for ${name}`, () => {
    it.each(Object.entries(LAWS))('%s', (_, law) => law(make));
  });
}

/** One processor and what it is tried on. */
interface Case {
  /** The processor, anew and in its first state each time. */
  fresh(): LogitsProcessor;
  /** The logits of several tokens, all of them float32 numbers. */
  rows: Float32Array[];
  /** Ids that came before, and one for each token. */
  prompt: number[];
  history: number[];
  accepted: number[];
  seed: number;
}

/** Tries `law` on CASES processors. A refusal is an answer too, but not to everything. */
function each(make: MakeProcessor, law: (example: Case) => void): void {
  let refused = 0;
  for (let n = 0; n < CASES; n++) {
    try {
      law(randomCase(make, n));
    } catch (error) {
      if (!isRefusal(error)) throw new Error(`case ${n}: ${(error as Error).message}`, { cause: error });
      refused++;
    }
  }
  expect(refused, 'cases that were refused').toBeLessThan(CASES / 2);
}

/** By name, since the processor may come from a build of its own. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'InvalidValueError';
}

function randomCase(make: MakeProcessor, n: number): Case {
  const random = new Pcg32(n, 2026);
  const V = 1 + random.below([6, 120, 600][n % 3] as number);
  const options = random.save();
  const ids = (count: number) => Array.from({ length: count }, () => random.below(V));
  return {
    fresh: () => make(Pcg32.restore(options)),
    rows: Array.from({ length: 6 }, () => randomRow(random, V)),
    prompt: ids(random.below(6)),
    history: ids(random.below(8)),
    accepted: ids(6),
    seed: n,
  };
}

/** Logits with ties, masks and signed zeros. */
function randomRow(random: Pcg32, V: number): Float32Array {
  const coarse = random.below(2) === 0;
  const spared = random.below(V);
  return Float32Array.from({ length: V }, (_, id) => {
    if (id !== spared && random.below(5) === 0) return -Infinity;
    const l = 12 * (random.uniform() + random.uniform() - 1);
    if (coarse) return Math.trunc(l / 4); // -0 among them
    return l;
  });
}

// ---- Trying a processor --------------------------------------------------------------------------------------------

/** What one run of `process` gave. */
interface Run {
  before: Float64Array;
  logits: Float64Array;
  probabilities: Float64Array;
  entropy: number;
  /** K, ascending. */
  ids: number[];
  settled: number | undefined;
  drawn: number;
}

/** One set for all runs: what it remembers of one must not show in the next. */
const SET = new CandidateSet(defaultNumerics());

function run(
  step: LogitsProcessor,
  example: Case,
  row: number,
  history = new TokenHistory(example.prompt, example.history),
  widen = false,
): Run {
  const logits = example.rows[row] as Float32Array;
  const before = Float64Array.from(logits);
  SET.load(widen ? before : logits);
  const uniforms = new Pcg32(example.seed, row);
  let drawn = 0;
  const uniform = () => {
    drawn++;
    return uniforms.uniform();
  };
  if (isActive(step)) step.process(SET, { history, numerics: exactNumerics, uniform });
  return { before, drawn, ...outcome() };
}

/** What is in the set, copied out of it. */
function outcome(): Omit<Run, 'before' | 'drawn'> {
  return {
    settled: SET.settled,
    entropy: SET.entropy(),
    logits: SET.toLogits(),
    probabilities: SET.toProbabilities(),
    ids: [...SET.ids()],
  };
}

function ranksOf(set: CandidateSet): number[] {
  return Array.from({ length: set.size }, (_, rank) => set.idAtRank(rank));
}

function isActive(step: LogitsProcessor): boolean {
  return step.active !== false;
}

function sameBits(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  return a.length === b.length && Array.from(a).every((x, i) => Object.is(x, b[i]));
}

/** Equal in logits, probabilities and in what is settled. */
function expectSame(a: Run, b: Run): void {
  expect(sameBits(a.logits, b.logits), 'the same logits').toBe(true);
  expect(sameBits(a.probabilities, b.probabilities), 'the same probabilities').toBe(true);
  expect(Object.is(a.entropy, b.entropy), 'the same entropy').toBe(true);
  expect(a.settled).toBe(b.settled);
}

function save(step: LogitsProcessor): JsonValue {
  return step.save === undefined ? null : (JSON.parse(JSON.stringify(step.save())) as JsonValue);
}

// ---- The laws ------------------------------------------------------------------------------------------------------

function noNaN(example: Case): void {
  const { logits, probabilities, entropy } = run(example.fresh(), example, 0);
  const wrongLogit = logits.find((l) => !(l < Infinity));
  const wrongShare = probabilities.find((q) => !(q >= 0 && q <= 1));
  expect([wrongLogit, wrongShare]).toEqual([undefined, undefined]);
  expect(probabilities.reduce((sum, q) => sum + q)).toBeCloseTo(1, 9);
  expect(Number.isNaN(entropy)).toBe(false);
  expect(
    sameBits(
      SET.logits(),
      [...SET.ids()].map((id) => logits[id] as number),
    ),
    'the same logits at once',
  ).toBe(true);
  expect(sameBits(SET.ranked(SET.size).ids, ranksOf(SET)), 'the same order at once').toBe(true);
}

function shrinks(example: Case): void {
  const { before, ids, settled } = run(example.fresh(), example, 0);
  expect(ids.length).toBeGreaterThan(0);
  expect(ids.filter((id) => before[id] === -Infinity)).toEqual([]);
  if (settled !== undefined) expect(ids).toEqual([settled]);
}

function sameBitsTwice(example: Case): void {
  const step = example.fresh();
  const first = run(step, example, 0);
  run(step, example, 1);
  expectSame(run(step, example, 0), first);
  expectSame(run(example.fresh(), example, 0), first);
  expectSame(run(step, example, 0, undefined, true), first);
}

function changesNoState(example: Case): void {
  const step = example.fresh();
  for (const id of example.history) step.accept?.(id);
  const state = save(step);
  const history = new TokenHistory(example.prompt, example.history);
  const options = JSON.stringify(step.options ?? null);
  for (const row of [0, 1, 0]) run(step, example, row, history);
  expect(save(step)).toEqual(state);
  expect(JSON.stringify(step.options ?? null)).toBe(options);
  const whole = [...example.prompt, ...example.history];
  expect([history.prompt, history.output, history.sequence]).toEqual([example.prompt, example.history, whole]);
}

function restores(example: Case): void {
  const gone = example.fresh();
  if (gone.accept !== undefined) expect([typeof gone.save, typeof gone.restore]).toEqual(['function', 'function']);
  const output: number[] = [];
  for (let row = 0; row < example.rows.length; row++) {
    const restored = example.fresh();
    if (gone.save !== undefined) restored.restore?.(save(gone));
    const ahead = new TokenHistory(example.prompt, output);
    expectSame(run(restored, example, row, ahead), run(gone, example, row, ahead));
    const id = example.accepted[row] as number;
    restored.accept?.(id);
    gone.accept?.(id);
    expect(save(restored)).toEqual(save(gone));
    output.push(id);
  }
}

function offChangesNothing(example: Case): void {
  const step = example.fresh();
  if (isActive(step)) return;
  const row = example.rows[0] as Float32Array;
  SET.load(row);
  const history = new TokenHistory(example.prompt, example.history);
  step.process(SET, { history, numerics: exactNumerics, uniform: () => expect.fail('what is off drew') as never });
  const { logits, settled } = outcome();
  expect(sameBits(logits, row), 'the same logits').toBe(true);
  expect(settled).toBeUndefined();
}

function drawsAsDeclared(example: Case): void {
  const step = example.fresh();
  const declared = isActive(step) ? (step.draws ?? 0) : 0;
  for (let row = 0; row < example.rows.length; row++) expect(run(step, example, row).drawn).toBe(declared);
}
