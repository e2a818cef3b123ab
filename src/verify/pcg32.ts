/**
 * The group `pcg32`: the generator, what is drawn with it, skips in both directions, and the streams of a seed.
 */
import { NormalSource } from '../random/normal.js';
import { Pcg32, stream } from '../random/pcg32.js';
import { childSeed, mix64, PURPOSES, type Purpose, type Seed } from '../random/seed.js';
import type { Check } from './check.js';
import { digestText, hex } from './fnv1a.js';

const SEEDS = [0n, 1n, 42n, 4294967301n, 9007199254740991n, 18446744073709551615n, 1311768467463790320n];
const SEQUENCES = [54, 7];
const SKIPS = [1n, 2n, 1000n, 1099511627776n, 9223372036854775808n, -1n, -12345n];
const BOUNDS = [1, 2, 3, 10, 2147483649, 4294967296];

/** By what it is: a state as it is, lists as digests. */
export type Pcg32Digests = Readonly<Record<string, string>>;

export function* pcg32Checks(digests: Pcg32Digests): Iterable<Check> {
  for (const [what, got] of results()) yield { what, expected: digests[what] ?? 'a digest', got };
}

function* results(): Iterable<readonly [what: string, result: string]> {
  for (const seed of SEEDS) {
    yield [`mix64(${seed})`, mix64(seed).toString(16).padStart(16, '0')];
    for (const sequence of SEQUENCES) {
      const name = `PCG32(${seed}, sequence ${sequence})`;
      for (const [what, result] of Object.entries(generatorResults(seed, sequence)))
        yield [`${what} of ${name}`, result];
    }
    for (const purpose of Object.keys(PURPOSES) as Purpose[])
      yield [`stream(${seed}, ${purpose})`, streamResult(seed, purpose)];
  }
}

/** Each from a generator that was just seeded. */
function generatorResults(seed: Seed, sequence: Seed): Record<string, string> {
  const fresh = () => new Pcg32(seed, sequence);
  return {
    'the state': position(fresh()),
    '64 outputs': digestDraws(fresh(), 64, (random) => random.nextU32()),
    '64 uniforms': digestDraws(fresh(), 64, (random) => hex(random.uniform())),
    skips: digestText(SKIPS.map((count) => position(skipped(fresh(), count))).join(' ')),
    'integers below a bound': digestText(
      BOUNDS.map((bound) => digestDraws(fresh(), 32, (random) => random.below(bound))).join(' '),
    ),
    'a shuffle': digestText(shuffled(fresh()).join(' ')),
    normals: digestNormals(fresh()),
  };
}

function streamResult(seed: Seed, purpose: Purpose): string {
  const random = stream(seed, purpose);
  const uniforms = digestDraws(random, 32, () => hex(random.uniform()));
  return `${childSeed(seed, purpose).toString(16).padStart(16, '0')} ${uniforms}`;
}

function digestDraws(random: Pcg32, count: number, draw: (random: Pcg32) => number | string): string {
  return digestText(Array.from({ length: count }, () => draw(random)).join(' '));
}

function digestNormals(random: Pcg32): string {
  const normals = new NormalSource(random);
  return digestText(Array.from({ length: 32 }, () => hex(normals.normal())).join(' '));
}

function shuffled(random: Pcg32): number[] {
  const items = Array.from({ length: 50 }, (_, i) => i);
  random.shuffle(items);
  return items;
}

function skipped(random: Pcg32, count: bigint): Pcg32 {
  random.skip(count);
  return random;
}

/** State and increment. */
function position(random: Pcg32): string {
  const { state, inc } = random.save();
  return `${state} ${inc}`;
}
