/**
 * Inputs of exp and log: what a softmax asks for, and every border of the algorithms. `make_digests.py` in
 * fixtures/verify follows the same recipe.
 */
import { powerOfTwo } from '../numerics/bits.js';
import { Pcg32 } from '../random/pcg32.js';
import { between, nudged, pick, RECIPE_SEED, sign } from './draws.js';

type Recipe = (random: Pcg32) => number;

/** Inputs of each kind. */
const COUNT = 1024;
/** ln 2 / 128: exp's table has an entry for each multiple. */
const STEP = Math.LN2 / 128;
/** Where log changes to its series near one. */
const LOG_LOW = 0.9375;
const LOG_HIGH = 1.064697265625;

/** exp(x) by kind of x. */
const EXP: Readonly<Record<string, Recipe>> = {
  'softmax arguments': (random) => -40 * random.uniform(),
  'arguments down to the last result': (random) => -745 * random.uniform(),
  'differences of coarse logits': (random) => -random.below(41943041) * powerOfTwo(-20),
  'arguments of the scaled last step': (random) => -512 - 196.4 * random.uniform(),
  'subnormal results': (random) => -708 - 38 * random.uniform(),
  'results that vanish': (random) => -744 - 300 * random.uniform(),
  'multiples of ln 2 / 128': (random) => nudged(random, -STEP * random.below(137600), 4),
  'odd multiples of ln 2 / 256': (random) => nudged(random, -STEP * (random.below(137600) + 0.5), 4),
  'small arguments': (random) => sign(random) * between(random, -11 - random.below(50)),
  'tiny arguments': (random) => sign(random) * between(random, -60 - random.below(960)),
  'positive arguments': (random) => 512 * random.uniform(),
  'positive arguments of the scaled last step': (random) => 512 + 197.78271 * random.uniform(),
  'arguments around the overflow': (random) => 709.7827 + 0.00003 * random.uniform(),
};

/** log(x) by kind of x. */
const LOG: Readonly<Record<string, Recipe>> = {
  'sums of a softmax': (random) => 1 + 199999 * random.uniform(),
  'sums of every size': (random) => between(random, random.below(18)),
  probabilities: (random) => 1 - random.uniform(),
  'small probabilities': (random) => between(random, -1 - random.below(60)),
  'arguments near one': (random) => LOG_LOW + (LOG_HIGH - LOG_LOW) * random.uniform(),
  'arguments very near one': (random) => 1 + sign(random) * between(random, -5 - random.below(47)),
  'borders of the series near one': (random) => nudged(random, pick(random, [1, LOG_LOW, LOG_HIGH]), 20),
  'borders of the table': (random) =>
    nudged(random, (1 + random.below(128) / 128) * powerOfTwo(random.below(40) - 20), 4),
  'normal arguments': (random) => between(random, random.below(2046) - 1022),
  'subnormal arguments': (random) => between(random, -1000) * powerOfTwo(-23 - random.below(52)),
};

const EXP_BORDERS = [
  ...[5.551115123125783e-17, 512, 708, 708.3964185322641, 709.782712893384, 745, 745.1332191019411, 746, 1024],
  ...[Math.LN2, Math.LN2 / 128, Math.LN2 / 256, 1, 2.2250738585072014e-308],
];
const LOG_BORDERS = [
  ...[2.2250738585072014e-308, 2.220446049250313e-16, 0.5, Math.SQRT1_2, 2, Math.E, 10, 128256],
  1.5e308,
];

/** x and its neighbours, four to each side. */
function around(x: number): number[] {
  return Array.from({ length: 9 }, (_, i) => x * (1 + (i - 4) * powerOfTwo(-52)));
}

/** One kind of input, and the inputs. */
export interface InputKind {
  readonly kind: string;
  readonly inputs: Float64Array;
}

export function expInputs(): InputKind[] {
  const borders = EXP_BORDERS.flatMap(around);
  const below = borders.map((x) => -x);
  return [
    ...make(EXP, 100),
    { kind: 'borders below 0', inputs: Float64Array.from([-0, 0, -Infinity, ...below]) },
    { kind: 'borders above 0', inputs: Float64Array.from([Infinity, ...borders]) },
  ];
}

export function logInputs(): InputKind[] {
  const borders = [0, Infinity, 5e-324, 1.7976931348623157e308, ...LOG_BORDERS.flatMap(around)];
  return [...make(LOG, 200), { kind: 'borders', inputs: Float64Array.from(borders) }];
}

function make(recipes: Readonly<Record<string, Recipe>>, sequence: number): InputKind[] {
  return Object.entries(recipes).map(([kind, recipe], i) => {
    const random = new Pcg32(RECIPE_SEED, sequence + i);
    return { kind, inputs: Float64Array.from({ length: COUNT }, () => recipe(random)) };
  });
}
