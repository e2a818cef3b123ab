/**
 * One run of a processor on an example, and what came of it.
 */
import type { JsonValue, LogitsProcessor } from '../../../processors/contract.js';
import { CandidateSet } from '../../candidates/candidate-set.js';
import { defaultNumerics } from '../../numerics/default-numerics.js';
import { exactNumerics } from '../../numerics/numerics.js';
import { Pcg32 } from '../../random/pcg32.js';
import { TokenHistory } from '../../sampler/token-history.js';
import { demand } from '../law-error.js';
import type { Example } from './example.js';
import { withoutInexactMath } from './inexact-math.js';

/** What one run of `process` gave. */
export interface Run {
  /** The logits before it, f64[V]. */
  readonly before: Float64Array;
  /** l and q by id, f64[V]: -Infinity and 0 outside K. */
  readonly logits: Float64Array;
  readonly probabilities: Float64Array;
  readonly entropy: number;
  /** K, ascending. */
  readonly ids: readonly number[];
  readonly settled: number | undefined;
  /** Uniforms that were drawn. */
  readonly drawn: number;
}

/** Which passes the candidates are computed with: those of this engine, the plain ones, or those of float64 logits. */
export type Way = 'default' | 'plain' | 'float64';

/** One set for all runs: what it remembers of one must not show in the next. */
const SETS: Readonly<Record<Way, CandidateSet>> = {
  default: new CandidateSet(defaultNumerics()),
  plain: new CandidateSet(exactNumerics),
  float64: new CandidateSet(exactNumerics),
};

export function isActive(step: LogitsProcessor): boolean {
  return step.active !== false;
}

/** Runs `step`, unless it is off, on row `row` of `example`. */
export function run(
  step: LogitsProcessor,
  example: Example,
  row: number,
  history = new TokenHistory([...example.prompt], [...example.history]),
  way: Way = 'default',
): Run {
  const set = SETS[way];
  const before = Float64Array.from(example.rows[row] as Float32Array);
  set.load(way === 'float64' ? before : (example.rows[row] as Float32Array));
  const uniforms = new Pcg32(example.seed, row);
  let drawn = 0;
  const uniform = () => {
    drawn++;
    return uniforms.uniform();
  };
  if (isActive(step)) processOnce(step, set, { history, numerics: exactNumerics, uniform });
  return { before, drawn, ...outcome(set) };
}

/** Runs `process`, also of a step that is off. */
export function processOnce(step: LogitsProcessor, ...args: Parameters<LogitsProcessor['process']>): void {
  const answer: unknown = withoutInexactMath(() => step.process(...args));
  const isPromise = typeof (answer as PromiseLike<unknown> | undefined | null)?.then === 'function';
  if (isPromise) Promise.resolve(answer).catch(() => {});
  demand(!isPromise, '`process` gave a promise, and the candidates are lent for the call');
}

function outcome(set: CandidateSet): Omit<Run, 'before' | 'drawn'> {
  return {
    settled: set.settled,
    entropy: set.entropy(),
    logits: set.toLogits(),
    probabilities: set.toProbabilities(),
    ids: [...set.ids()],
  };
}

function areSame(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  return a.length === b.length && Array.from(a).every((x, i) => Object.is(x, b[i]));
}

/** Demands the same bits in logits and probabilities, and the same decision. `when` says what differed. */
export function demandSame(a: Run, b: Run, when: string): void {
  demand(areSame(a.logits, b.logits), `other logits ${when}`);
  demand(areSame(a.probabilities, b.probabilities), `other probabilities ${when}`);
  demand(Object.is(a.entropy, b.entropy), `another entropy ${when}`);
  demand(a.settled === b.settled, `another id settled ${when}`);
}

/** The state as JSON, null for none. */
export function stateOf(step: LogitsProcessor): JsonValue {
  const state = step.save?.();
  return state === undefined ? null : (JSON.parse(JSON.stringify(state)) as JsonValue);
}
