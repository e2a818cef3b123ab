/**
 * The group `bounds`: what is decided by proved bounds (docs/CERTIFIED.md), beside the plain loops of the spec.
 *
 * Half of the uniforms and of the masses p are running sums and their neighbours: where a bound is too close, it shows there. An
 * answer that the bounds do not give counts as right, as the exact path gives it.
 */
import { PendingEdits } from '../candidates/pending-edits.js';
import { RowCandidates } from '../candidates/row-candidates.js';
import { RowSearch } from '../candidates/row-search.js';
import { fromWords, highWord, lowWord, powerOfTwo } from '../numerics/bits.js';
import { drawByEstimate, drawBySums, UNDECIDED } from '../numerics/certified/draw.js';
import type { Numerics } from '../numerics/numerics.js';
import { Pcg32 } from '../random/pcg32.js';
import { type BoundRow, boundRow } from './bound-rows.js';
import type { Check } from './check.js';
import { RECIPE_SEED } from './draws.js';

const TWO_32 = 4294967296;

/** How many rows, and how often each is asked. */
export interface BoundsWork {
  /** Rows from..from + rows - 1 of the recipe. */
  readonly from: number;
  readonly rows: number;
  /** Draws of each row by each way, and nuclei. */
  readonly draws: number;
  readonly nuclei: number;
  /** Longer rows are left out. */
  readonly largest: number;
}

/** What `verify` does where nothing else is said, and what a row takes where it is told how many. */
export const SOME_BOUNDS: BoundsWork = { from: 0, rows: 60, draws: 8, nuclei: 4, largest: 20_000 };
export const MANY_BOUNDS: BoundsWork = { from: 0, rows: 1, draws: 60, nuclei: 100, largest: Infinity };

/** What was compared: for the report of a long run. */
export interface BoundsCount {
  exps: number;
  draws: number;
  undecidedDraws: number;
  nuclei: number;
  undecidedNuclei: number;
}

/** A row with the plain loops over it. */
interface PlainRow {
  readonly total: number;
  /** The sum of the exps before each block, f64[blocks + 1]. */
  readonly before: Float64Array;
  /** The running sum of q in ascending id order, f64[V]. */
  readonly running: Float64Array;
  readonly entropy: number;
  /** The rank of each id of K, and the running sum of q in rank order. */
  readonly ranks: Int32Array;
  readonly rankedSums: Float64Array;
}

export function* boundsChecks(numerics: Numerics, work: BoundsWork, count?: BoundsCount): Iterable<Check> {
  for (let n = work.from; n < work.from + work.rows; n++) {
    const row = boundRow(n);
    if (row.logits.length <= work.largest) yield* rowChecks(numerics, n, row, work, count);
  }
}

function* rowChecks(
  numerics: Numerics,
  n: number,
  row: BoundRow,
  work: BoundsWork,
  count: BoundsCount | undefined,
): Iterable<Check> {
  const candidates = load(row, numerics);
  if (candidates === undefined) return; // this temperature makes a logit overflow
  const random = new Pcg32(RECIPE_SEED, 900_000 + n);
  const plain = plainRow(candidates, numerics);
  const where = `row ${n} (${row.kind}, V = ${row.logits.length}, T = ${row.divisor}, ${row.edits.size} edits)`;
  const us = Array.from({ length: work.draws }, (_, i) => near(random, plain.running, i));
  yield same(
    `draws by masses, ${where}`,
    us.map((u) => expectedId(plain.running, u)),
    draw(us, candidates, drawByEstimate, count),
  );
  const ps = Array.from({ length: work.nuclei }, (_, i) => near(random, plain.rankedSums, i) || 1);
  yield same(
    `nuclei, ${where}`,
    ps.map((p) => sizeOf(plain, p)),
    cut(ps, candidates, numerics, plain, count),
  );
  yield { what: `the sum, ${where}`, expected: String(plain.total), got: String(candidates.normalizer()) };
  yield same(`the sums before the blocks, ${where}`, [...plain.before], [...candidates.kernel.arrays.before]);
  yield same(
    `draws by sums, ${where}`,
    us.map((u) => expectedId(plain.running, u)),
    draw(us, candidates, drawBySums, count),
  );
  yield { what: `the entropy, ${where}`, expected: String(plain.entropy), got: String(candidates.entropy()) };
  if (count) count.exps += row.logits.length;
}

function same(what: string, expected: readonly number[], got: readonly (number | undefined)[]): Check {
  const shown = got.map((value, i) => value ?? expected[i]);
  return { what, expected: expected.join(' '), got: shown.join(' ') };
}

/** The row with its edits and its temperature; undefined where the largest logit overflows, or nothing is left. */
function load({ logits, edits, divisor }: BoundRow, numerics: Numerics): RowCandidates | undefined {
  const row = new RowCandidates(logits.length, numerics);
  row.load(logits, 'verify');
  const pending = new PendingEdits();
  pending.clear(logits.length);
  for (const [id, value] of edits) if (value > -Infinity || row.size - pending.removed > 1) pending.add(id, value);
  row.setLogits(pending);
  if (!Number.isFinite(row.maxLogit() / divisor) || (divisor !== 1 && !row.divide(divisor))) return undefined;
  return row;
}

function plainRow(row: RowCandidates, numerics: Numerics): PlainRow {
  const { length } = row;
  const max = row.maxLogit();
  const exps = Float64Array.from({ length }, (_, id) => numerics.exp(row.logit(id) - max));
  const before = new Float64Array(Math.ceil(length / 64) + 1);
  let total = 0;
  for (let id = 0; id < length; id++) {
    if (id % 64 === 0) before[id / 64] = total;
    total += exps[id] as number;
  }
  before[before.length - 1] = total;
  const logits = Float64Array.from({ length }, (_, id) => row.logit(id));
  const ids = Int32Array.from({ length }, (_, id) => id).filter((id) => (logits[id] as number) > -Infinity);
  const ranked = ids.sort((a, b) => (logits[b] as number) - (logits[a] as number) || a - b);
  const ranks = new Int32Array(length);
  ranked.forEach((id, rank) => {
    ranks[id] = rank;
  });
  const rankedExps = Float64Array.from(ranked, (id) => exps[id] as number);
  return {
    total,
    before,
    running: runningSums(exps, total),
    entropy: entropyOf(exps, total, numerics),
    ranks,
    rankedSums: runningSums(rankedExps, total),
  };
}

function runningSums(exps: Float64Array, total: number): Float64Array {
  let c = 0;
  return exps.map((e) => {
    c += e / total;
    return c;
  });
}

function entropyOf(exps: Float64Array, total: number, numerics: Numerics): number {
  let h = 0;
  for (const e of exps) {
    const q = e / total;
    if (q > 0) h -= q * numerics.log(q);
  }
  return h;
}

/** A number in [0, 1): any; a running sum or its neighbour; one some way from a running sum; and so on. */
function near(random: Pcg32, sums: Float64Array, turn: number): number {
  if (turn % 4 === 0) return random.uniform();
  const sum = sums[random.below(sums.length)] as number;
  const side = random.below(2) === 0 ? 1 : -1;
  const moved = turn % 4 === 2 ? sum * (1 + side * powerOfTwo(-8 - random.below(44))) : oneOf(random, sum, side);
  return moved >= 0 && moved < 1 ? moved : 1 - powerOfTwo(-53);
}

function oneOf(random: Pcg32, sum: number, side: 1 | -1): number {
  return random.below(3) === 0 ? sum : neighbour(sum, side);
}

/** The next float64 up or down from x >= 0. */
function neighbour(x: number, step: 1 | -1): number {
  if (x === 0) return 0;
  const low = lowWord(x) + step;
  return fromWords(highWord(x) + (low < 0 ? -1 : low >= TWO_32 ? 1 : 0), low);
}

/** The first id with u < c; -1 where none is. */
function expectedId(running: Float64Array, u: number): number {
  let low = 0;
  let high = running.length; // c does not fall
  while (low < high) {
    const middle = (low + high) >> 1;
    if (u < (running[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return low === running.length ? -1 : low;
}

function draw(
  us: readonly number[],
  row: RowCandidates,
  by: typeof drawByEstimate,
  count: BoundsCount | undefined,
): (number | undefined)[] {
  return us.map((u) => {
    const id = by(row, row.divisor, row.maxLogit(), u);
    if (count) count.draws++;
    if (count && id === UNDECIDED) count.undecidedDraws++;
    return id === UNDECIDED ? undefined : id;
  });
}

/** How many the nucleus of p are. */
function sizeOf({ rankedSums }: PlainRow, p: number): number {
  let low = 0;
  let high = rankedSums.length - 1; // all where rounding never reaches p
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rankedSums[middle] as number) >= p) high = middle;
    else low = middle + 1;
  }
  return low + 1;
}

/** How many were found for each p; -1 where they are not the best. */
function cut(
  ps: readonly number[],
  row: RowCandidates,
  numerics: Numerics,
  { ranks }: PlainRow,
  count: BoundsCount | undefined,
): (number | undefined)[] {
  const search = new RowSearch(row, numerics);
  return ps.map((p) => {
    const found = search.nucleus(p);
    if (count) count.nuclei++;
    if (count && found === undefined) count.undecidedNuclei++;
    if (found === undefined) return undefined;
    const ids = found.ids.subarray(0, found.count);
    return ids.every((id) => (ranks[id] as number) < ids.length) ? ids.length : -1;
  });
}
