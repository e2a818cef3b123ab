/**
 * Rows whose passes have known answers: what a kernel must give before it samples a token.
 *
 * The exps and sums are literals, from Python's `math.exp` (glibc with FMA) and its float64 additions in order, so that they
 * hold a kernel to something that is not of this package. Each answer is there for a way in which an engine can be wrong
 * without an error: memory of another byte order than typed arrays (big-endian processors), SIMD that takes float32
 * subnormals for 0 (32-bit ARM), a lost sign of zero, a lane that a maximum leaves out.
 */
import { BLOCK, type RowKernel, type RowKernelFactory } from './row.js';

/** One number that a kernel gave, beside the one that it must give, to the bit and the sign of zero. */
export interface Answer {
  /** What was asked for, in words. */
  readonly what: string;
  readonly expected: number;
  readonly got: number;
}

/** V of the small row: a block and a part of one. */
const LENGTH = 70;
const LEAST = 1.401298464324817e-45; // 2^-149, the least float32: a subnormal
const LOWEST = -3.4028234663852886e38; // the lowest finite float32

/** A float32, exp(x), and exp(x / 0.7 - 0.25). The odd number of them puts each in both lanes. */
const EXPS: readonly (readonly [x: number, exp: number, divided: number])[] = [
  [0, 1, 0.7788007830714049],
  [-0, 1, 0.7788007830714049],
  [LEAST, 1, 0.7788007830714049],
  [-LEAST, 1, 0.7788007830714049],
  [-0.30000001192092896, 0.7408182118504766, 0.5073412394885142],
  [-1, 0.36787944117144233, 0.18664041484472876],
  [-13.371000289916992, 1.5597261610232642e-6, 3.942585992759418e-9],
  [-1.1513999700546265, 0.3161937975297399, 0.1503398170596004], // these two leave the fast path
  [-1.1917999982833862, 0.303674158855553, 0.141908694294448],
  [-87.33000183105469, 1.1832107320330688e-38, 5.129635693441088e-55],
  [-511.8999938964844, 4.837905316428418e-223, 1.98646e-318],
  [-512.5, 2.655082526589927e-223, 8.42995e-319],
  [-700.25, 7.678723813110872e-305, 0],
  [-708.5, 2.006132305331306e-308, 0],
  [-740.0999755859375, 3.8e-322, 0],
  [-744.5, 5e-324, 0],
  [-800, 0, 0],
  [-1100, 0, 0],
  [-Infinity, 0, 0],
];

/** An id whose logit is a float64 beside the copy, with its exps as above; two of them in one block. */
const EDITS: readonly (readonly [id: number, x: number, exp: number, divided: number])[] = [
  [3, -0.65, 0.522045776761016, 0.3077180219268002],
  [40, -745.1, 5e-324, 0],
  [41, -0.000616, 0.9993841896890485, 0.7781157398455295],
  [65, -1.987, 0.13710612746686596, 0.04556700364931156],
  [69, -Infinity, 0, 0],
];

// added in another order, or in several parts, they are others
const SUM = 21.26913061159487;
const SUM_DIVIDED = 15.058822929574971;
/** Where the inverse CDF of the exps stops. The last u is their sum, 1 - 2^-53, and is not below it. */
const WALKS: readonly (readonly [u: number, index: number])[] = [
  [0, 0],
  [0.3, 20],
  [0.5, 26],
  [0.9, 60],
  [0.9999999999999999, -1],
];

/** Asks the kernels that `make` makes, question by question. */
export function* knownAnswers(make: RowKernelFactory): Iterable<Answer> {
  const kernel = make(LENGTH);
  yield* byteOrder(kernel);
  yield* specialFloats(kernel);
  yield* exps(kernel);
  yield* places(make(BLOCK * BLOCK + 5));
  yield* bounds(make(3 * BLOCK));
}

/** Of these two, the bytes read the other way round have another order. */
function* byteOrder(kernel: RowKernel): Iterable<Answer> {
  const what = 'the byte order of the memory: the largest of 1.0000001192092896 and 2';
  yield { what, expected: 2, got: largest(kernel, 1.0000001192092896, 2) };
}

function* specialFloats(kernel: RowKernel): Iterable<Answer> {
  const subnormals = 'float32 subnormals: the largest of';
  yield { what: `${subnormals} 0 and 2^-149`, expected: LEAST, got: largest(kernel, 0, LEAST) };
  yield { what: `${subnormals} -2^-148 and -2^-149`, expected: -LEAST, got: largest(kernel, -2 * LEAST, -LEAST) };
  kernel.accept();
  yield { what: 'float32 subnormals: how many reach -2^-149', expected: 1, got: kernel.collect(-LEAST) };
  yield { what: 'the sign of zero: the largest of -0 and -3', expected: -0, got: largest(kernel, -3, -0) };
}

/** What the first block's maximum is where all entries are `others` but one, `largest`. */
function largest(kernel: RowKernel, others: number, largest: number): number {
  const { incoming, incomingMax } = kernel.arrays;
  incoming.fill(others, 0, LENGTH);
  incoming[37] = largest;
  kernel.scan();
  return incomingMax[0] as number;
}

function* exps(kernel: RowKernel): Iterable<Answer> {
  const { copy, exps } = kernel.arrays;
  for (let id = 0; id < LENGTH; id++) copy[id] = exampleAt(id)[0];
  yield { what: 'the exp of a float32 subnormal over 2^-149', expected: 1, got: expOverLeast(kernel) };
  edit(kernel);
  yield { what: 'the sum of the exps with a divisor', expected: SUM_DIVIDED, got: kernel.expSum(0.7, 0.25) };
  yield* wrongIn(exps.subarray(0, LENGTH), expectedExps(2), (id) => `exp(${logitAt(id)} / 0.7 - 0.25)`);
  yield { what: 'the sum of the exps', expected: SUM, got: kernel.expSum(1, 0) };
  yield* wrongIn(exps.subarray(0, LENGTH), expectedExps(1), (id) => `exp(${logitAt(id)})`);
  for (const [u, expected] of WALKS) {
    yield { what: `the walk to u = ${u}`, expected, got: kernel.walk(SUM, u) };
  }
  yield { what: 'the sum by bounds', expected: SUM, got: kernel.sum(1, 0) };
  yield { what: 'the sum by bounds with a divisor', expected: SUM_DIVIDED, got: kernel.sum(0.7, 0.25) };
}

function exampleAt(id: number): (typeof EXPS)[number] {
  return EXPS[id % EXPS.length] as (typeof EXPS)[number];
}

/** The entry of 2^-149 over 2^-149, less 1: where it is taken for 0, this is exp(-1). */
function expOverLeast(kernel: RowKernel): number {
  kernel.expSum(LEAST, 1);
  return kernel.arrays.exps[2] as number;
}

/** Hides the edited ids in the copy and chains their logits beside it. */
function edit({ arrays }: RowKernel): void {
  const { copy, heads, next, editIds, editValues } = arrays;
  EDITS.forEach(([id, x], index) => {
    const block = Math.floor(id / BLOCK);
    copy[id] = -Infinity;
    editIds[index] = id;
    editValues[index] = x;
    next[index] = heads[block] as number;
    heads[block] = index + 1;
  });
}

/** The exps of the row, with those of the edits in their places: column 1 or 2 of the examples. */
function expectedExps(column: 1 | 2): number[] {
  const expected = Array.from({ length: LENGTH }, (_, id) => exampleAt(id)[column]);
  for (const edit of EDITS) expected[edit[0]] = edit[column === 1 ? 2 : 3];
  return expected;
}

function logitAt(id: number): number {
  return EDITS.find(([edited]) => edited === id)?.[1] ?? exampleAt(id)[0];
}

/**
 * A row whose exps are about 1, 2^-1, ..., 2^-63, three times: what is only approximated, in units of what the bounds allow.
 */
function* bounds(kernel: RowKernel): Iterable<Answer> {
  const { incoming, masses } = kernel.arrays;
  for (let id = 0; id < incoming.length; id++) incoming[id] = -Math.LN2 * (id % BLOCK);
  kernel.scan();
  kernel.accept();
  const total = kernel.expSum(1, 0);
  const off = (mass: number, exact: number) =>
    Math.trunc((mass / kernel.said.unit / exact - 1) / kernel.said.error) + 0;
  for (const fine of [false, true]) {
    if (!kernel.estimate(fine, 1, 0)) continue;
    const { sum } = kernel.said;
    const how = fine ? 'finely' : 'quickly';
    yield { what: `the mass of a row, ${how}`, expected: 0, got: off(sum, total) };
    yield { what: `the mass of a block, ${how}`, expected: 0, got: off(masses[1] as number, total / 3) };
  }
  const reaching = kernel.collectRest(-10, 1, 0);
  if (reaching < 0) return;
  yield { what: 'how many reach -10, with the rest', expected: 45, got: reaching };
  const { exps } = kernel.arrays;
  const rest = exps.reduce((sum, e, id) => (id % BLOCK < 15 ? sum : sum + e), 0);
  yield { what: 'the mass of the rest', expected: 0, got: off(kernel.said.sum, rest) };
}

/** The first number that is not the expected one, if there is one: an answer for each would take as long as all the rest. */
function* wrongIn(
  got: ArrayLike<number>,
  expected: readonly number[],
  what: (index: number) => string,
): Iterable<Answer> {
  const at = expected.findIndex((number, i) => !Object.is(got[i], number));
  if (at >= 0) yield { what: what(at), expected: expected[at] as number, got: got[at] as number };
}

/** 64 blocks, each with its largest entry at another place, and one with masked entries. */
function* places(kernel: RowKernel): Iterable<Answer> {
  const { incoming, incomingMax, ids } = kernel.arrays;
  fillPlaces(incoming);
  yield { what: 'whether all are logits', expected: 1, got: Number(kernel.scan()) };
  yield { what: 'the number of masked entries', expected: 3, got: kernel.said.masked };
  yield { what: 'the largest of all', expected: 31, got: kernel.said.largest };
  const maxima = Array.from({ length: BLOCK }, (_, block) => block - 32);
  yield* wrongIn(incomingMax, maxima, (block) => `the maximum of a block, at its place ${block}`);
  yield { what: 'the maximum of a block with masked entries', expected: -2, got: incomingMax[BLOCK] as number };
  yield* refusals(kernel);
  kernel.accept();
  yield { what: 'how many reach the lowest float32', expected: BLOCK * BLOCK + 2, got: kernel.collect(LOWEST) };
  yield { what: 'how many reach 0', expected: 32, got: kernel.collect(0) };
  const reaching = Array.from({ length: 32 }, (_, i) => (BLOCK + 1) * (32 + i));
  yield* wrongIn(ids, reaching, () => 'an id that reaches 0');
  yield* masks(kernel);
}

/** A mask that keeps the first block, of each other block its odd ids, and of the last one the first two entries. */
function* masks(kernel: RowKernel): Iterable<Answer> {
  const { blockMax, ids } = kernel.arrays;
  const words = new Uint32Array(2 * BLOCK + 1).fill(0xaaaaaaaa).fill(0xffffffff, 0, 2);
  words[2 * BLOCK] = 0b11;
  const removed = 32 * (BLOCK - 1) + 1; // the -2 behind the blocks is above -Infinity
  yield { what: 'how many a mask removes', expected: removed, got: kernel.keepMask(words) };
  const maxima = Array.from({ length: BLOCK }, (_, block) => (block % 2 === 1 || block === 0 ? block - 32 : -1000));
  yield* wrongIn(blockMax, [...maxima, -3], (block) => `the maximum of block ${block} behind a mask`);
  yield { what: 'how many reach 0 behind a mask', expected: 16, got: kernel.collect(0) };
  const reaching = Array.from({ length: 16 }, (_, i) => (BLOCK + 1) * (33 + 2 * i));
  yield* wrongIn(ids, reaching, () => 'an id that reaches 0 behind a mask');
}

function fillPlaces(incoming: Float32Array): void {
  incoming.fill(-1000, 0, BLOCK * BLOCK);
  for (let block = 0; block < BLOCK; block++) incoming[(BLOCK + 1) * block] = block - 32;
  incoming.set([-3, -Infinity, -2, -Infinity, -Infinity], BLOCK * BLOCK);
}

/** Leaves the row as it was. */
function* refusals(kernel: RowKernel): Iterable<Answer> {
  const { incoming } = kernel.arrays;
  incoming[BLOCK * BLOCK + 1] = Number.NaN;
  yield { what: 'whether NaN is a logit', expected: 0, got: Number(kernel.scan()) };
  fillPlaces(incoming);
  incoming[777] = Infinity;
  yield { what: 'whether +Infinity is a logit', expected: 0, got: Number(kernel.scan()) };
  fillPlaces(incoming);
  kernel.scan();
}
