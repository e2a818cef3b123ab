/**
 * Rows of logits for the group `bounds`: of every kind that bounds might fail on, with edits and temperatures.
 */
import { NormalSource } from '../random/normal.js';
import { Pcg32 } from '../random/pcg32.js';
import { pick, RECIPE_SEED } from './draws.js';

/** A row: float32 logits, some of them edited, and a temperature. */
export interface BoundRow {
  readonly kind: string;
  readonly logits: Float32Array;
  readonly edits: ReadonlyMap<number, number>;
  readonly divisor: number;
}

/** Doubles and halves V at most so often above 1: up to 151,936. */
const DOUBLINGS = 17.2130962;
const LARGEST_V = 151_936;
const DIVISORS = [1, 1, 1, 1, 0.7, 0.9, 1.5, 2, 0.001, 0.01, 0.1, 10, 100, 1000];
const LEAST = 1.401298464324817e-45; // 2^-149, the least float32

type Fill = (random: Pcg32, normal: () => number, index: number, length: number) => number;

/** Makes the logits of one row; `scale` and `level` are drawn once for it. */
const KINDS: Readonly<Record<string, (scale: number, level: number) => Fill>> = {
  normal: (scale) => (_, normal) => scale * normal(),
  peaked: () => (random, normal) => (random.below(4000) === 0 ? 14 + 4 * random.uniform() : 3 * normal()),
  sharp: (_, level) => (_random, normal, i) => (i === 0 ? 40 + 60 * level : 2 * normal()),
  equal: (scale) => () => scale,
  tied: (_, level) => (random) => random.below(1 + Math.floor(6 * level)) / 2,
  wide: (scale) => (random) => scale * scale * scale * scale * (random.uniform() - 0.5),
  masked: (_, level) => (random, normal) => (random.uniform() < level ? -Infinity : 3 * normal()),
  'almost all masked': () => (random, normal) => (random.below(200) === 0 ? 3 * normal() : -Infinity),
  'beginning late': (_, level) => (_random, normal, i, length) => (i < level * length ? -Infinity : 3 * normal()),
  ascending: (_, level) => (_random, _normal, i, length) => (20 + 1000 * level) * (i / length - 1),
  descending: (_, level) => (_random, _normal, i, length) => -(20 + 1000 * level) * (i / length),
  subnormal: () => (random) => (random.below(2001) - 1000) * LEAST,
  'in steps of ln 2': () => (_, __, i) => -Math.LN2 * (i % 60),
  'near ties': () => (_, __, i) => (i === 0 ? 12.618575096130371 : 5.8515524870017543e-8),
  'near ties at the end': () => (_, __, i) => (i === 0 ? 12.781952857971191 : 3.708846563199586e-8),
  'near the underflow': () => (random, _, i, length) => (i === length - 1 ? 0 : -680 - 80 * random.uniform()),
};

const SCALES = [0.1, 1, 3, 8, 30];

/** Row `n`, the same in every engine. */
export function boundRow(n: number): BoundRow {
  const random = new Pcg32(RECIPE_SEED, 10_000 + n);
  const normals = new NormalSource(random);
  const length = lengthOf(random);
  const kind = pick(random, Object.keys(KINDS));
  const fill = (KINDS[kind] as (scale: number, level: number) => Fill)(pick(random, SCALES), random.uniform());
  const logits = Float32Array.from({ length }, (_, i) => fill(random, () => normals.normal(), i, length));
  if (!logits.some((l) => l > -Infinity)) logits[random.below(length)] = 1;
  return { kind, logits, edits: editsOf(random, logits), divisor: pick(random, DIVISORS) };
}

/** V, its logarithm uniform; every eighth is at the border of a block. */
function lengthOf(random: Pcg32): number {
  let length = 1;
  let doublings = DOUBLINGS * random.uniform();
  for (; doublings >= 1; doublings--) length *= 2;
  length = Math.min(Math.floor(length * (1 + doublings)), LARGEST_V);
  return random.below(8) > 0 || length < 64 ? length : (length & -64) + random.below(3) - 1;
}

/** For every third row: penalties, biases, bans. */
function editsOf(random: Pcg32, logits: Float32Array): Map<number, number> {
  const edits = new Map<number, number>();
  if (random.below(3) > 0) return edits;
  for (let count = random.below(Math.min(logits.length, 900)); count > 0; count--) {
    const id = random.below(logits.length);
    const l = logits[id] as number;
    if (l === -Infinity) continue;
    edits.set(id, random.below(40) === 0 ? -Infinity : l > 0 ? l / 1.1 : l * 1.1 - random.below(2));
  }
  return edits;
}
