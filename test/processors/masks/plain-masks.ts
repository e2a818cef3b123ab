/**
 * A mask or a bias against what it does to a plain array: over random rows and histories, in every world, on the whole
 * vocabulary and after an edit, a filter, a division or the tap.
 */
import { expect, it } from 'vitest';
import type { LogitsProcessor, StepContext } from '../../../processors/index.js';
import { CandidateSet, TokenHistory } from '../../../src/core.js';
import { InvalidValueError } from '../../../src/index.js';
import { exactNumerics } from '../../../src/numerics/index.js';
import { hasWasmKernel } from '../../../src/numerics/passes.js';
import { Pcg32 } from '../../../src/random/index.js';
import { PlainCandidates } from '../../candidates/plain-candidates.js';
import { WORLDS as ALL_WORLDS, type World } from '../../candidates/worlds.js';
import { expectSameBits } from '../../support/bits.js';

export interface PlainContext {
  readonly prompt: readonly number[];
  readonly output: readonly number[];
}

/** The logits after the step; undefined where it is refused. Nothing left is refused in any case. */
export type PlainRule = (logits: readonly number[], context: PlainContext) => number[] | undefined;

/** A step with random options for V ids, and what it should do. */
export type MakePair = (random: Pcg32, V: number) => { step: LogitsProcessor; rule: PlainRule };

const M = -Infinity;

/** All of them; on an engine without WebAssembly those that it has. */
const WORLDS = Object.fromEntries(
  Object.entries(ALL_WORLDS).filter(([name]) => hasWasmKernel() || !name.includes('WebAssembly')),
);

/** What happened to the candidates before. */
const BEFORE: readonly ((set: CandidateSet, random: Pcg32) => void)[] = [
  () => {},
  (set, random) => set.adjustLogits([random.below(set.vocabSize), random.below(set.vocabSize)], (l) => l - 1 / 3),
  (set, random) => set.keepBest(1 + random.below(set.vocabSize)),
  (set, random) => set.keepMass(1 - random.uniform() / 2),
  (set) => set.divideLogits(0.7),
  (set) => void set.tapScores(),
];

/** Declares the comparison, one test a world; at least a third of the cases must not be refused. */
export function agreesWithPlainArrays(make: MakePair, cases = 240): void {
  it.each(Object.entries(WORLDS))('does what it does to a plain array, %s', (_, world) => {
    const set = new CandidateSet(world.numerics);
    let refused = 0;
    for (let n = 0; n < cases; n++) if (!compare(make, world, set, n)) refused++;
    expect(refused, 'refused').toBeLessThan((2 * cases) / 3);
  });
}

function compare(make: MakePair, world: World, set: CandidateSet, n: number): boolean {
  const random = new Pcg32(n, 99);
  const V = 1 + random.below([5, 40, 300][n % 3] as number);
  set.load(world.logits(row(random, V)));
  (BEFORE[random.below(BEFORE.length)] as (typeof BEFORE)[number])(set, random);
  const narrow = Math.min(V, 1 + random.below(6));
  const ids = (count: number) => Array.from({ length: random.below(count) }, () => random.below(narrow));
  const context = { prompt: ids(7), output: ids(7) };
  const { step, rule } = make(random, V);
  const before = [...set.toLogits()];
  const expected = rule(before, context);
  const left = expected?.some((l) => l > M) ? expected : undefined;
  check(set, step, stepContext(context), left, before);
  return left !== undefined;
}

function check(
  set: CandidateSet,
  step: LogitsProcessor,
  context: StepContext,
  expected: number[] | undefined,
  before: number[],
): void {
  if (expected === undefined) expect(() => step.process(set, context)).toThrow(InvalidValueError);
  else if (step.active !== false) step.process(set, context);
  const plain = new PlainCandidates(expected ?? before);
  expectSameBits(set.toLogits(), plain.logits, 'logits');
  expectSameBits(set.toProbabilities(), plain.probabilities, 'q');
  expect([set.size, set.entropy(), set.idAtRank(0)]).toEqual([plain.ids.length, plain.entropy, plain.ranked[0]]);
}

function row(random: Pcg32, V: number): number[] {
  const coarse = random.below(2) === 0;
  const spared = random.below(V);
  return Array.from({ length: V }, (_, id) => {
    if (id !== spared && random.below(6) === 0) return M;
    const l = 12 * (random.uniform() + random.uniform() - 1);
    return coarse ? Math.trunc(l / 4) : l;
  });
}

export function stepContext({ prompt = [], output = [] }: Partial<PlainContext> = {}): StepContext {
  return {
    history: new TokenHistory(prompt, output),
    numerics: exactNumerics,
    uniform: () => {
      throw new Error('a mask draws nothing');
    },
  };
}

/** `logits` with -Infinity for each id that `banned` has. */
export function without(logits: readonly number[], banned: Iterable<number>): number[] {
  const gone = new Set(banned);
  return logits.map((l, id) => (gone.has(id) ? M : l));
}

/** Random ids, now and then one that is not below V. */
export function randomIds(random: Pcg32, V: number, most: number, least = 0): number[] {
  const beyond = random.below(12) === 0 ? 1 : 0;
  return Array.from({ length: least + random.below(most - least + 1) }, () => random.below(V + beyond));
}

/** A processor on `logits`: l afterwards. */
export function logitsAfter(
  step: LogitsProcessor,
  logits: readonly number[],
  context: Partial<PlainContext> = {},
): Float64Array {
  const set = new CandidateSet();
  set.load(logits);
  step.process(set, stepContext(context));
  return set.toLogits();
}

/** The message of the refusal of `step` on `logits` after the tap, in every world; everything stays as it was. */
export function expectUnchanged(
  step: LogitsProcessor,
  logits: readonly number[],
  message: string,
  context: Partial<PlainContext> = {},
): void {
  for (const world of Object.values(WORLDS)) {
    const set = new CandidateSet(world.numerics);
    set.load(world.logits(logits));
    expect(() => step.process(set, stepContext(context))).toRefuse(message);
    expectSameBits(set.toLogits(), logits, 'logits');
  }
}
