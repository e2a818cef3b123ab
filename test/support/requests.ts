/**
 * Random requests from a seeded generator, wide on purpose: what a model gives, and what it should never give.
 */
import type { Logits } from '../../src/logits.js';
import type { Pcg32 } from '../../src/random/pcg32.js';
import type { OracleParams } from '../oracle/oracle.js';

export interface SampleRequest {
  params: OracleParams;
  /** One vector for each token, all of one length. */
  steps: Logits[];
  history: number[];
  prompt: number[];
  seed: number | bigint;
}

/** A request with `tokens` vectors of V logits. About one in a hundred holds a value that the spec refuses. */
export function randomRequest(random: Pcg32, V: number, tokens: number): SampleRequest {
  const request: SampleRequest = {
    params: randomParams(random, V),
    steps: Array.from({ length: tokens }, () => randomLogits(random, V)),
    history: randomIds(random, V),
    prompt: randomIds(random, V),
    seed: randomSeed(random),
  };
  if (random.below(100) === 0) spoil(request, random, V);
  return request;
}

/** One of `items`. */
export function pick<T>(random: Pcg32, items: readonly T[]): T {
  return items[random.below(items.length)] as T;
}

/** Nearly a standard normal: the sum of four uniforms, of variance 1/3, shifted and stretched. */
export function roughNormal(random: Pcg32): number {
  return 1.7320508 * (random.uniform() + random.uniform() + random.uniform() + random.uniform() - 2);
}

function randomSeed(random: Pcg32): number | bigint {
  const number = random.nextU32() * 2097152 + (random.nextU32() >>> 11);
  if (random.below(4) > 0) return number;
  return pick(random, [0, 1, 42, Number.MAX_SAFE_INTEGER, 2n ** 64n - 1n, (BigInt(number) << 11n) | 5n]);
}

/** Up to a dozen ids with repeats, often few distinct ones. */
export function randomIds(random: Pcg32, V: number): number[] {
  const among = pick(random, [1, 3, V]);
  return Array.from({ length: random.below(13) }, () => random.below(Math.min(among, V)));
}

// ---- Parameters --------------------------------------------------------------------------------------------------

const ALMOST_ONE = 1 - 2 ** -53;

/** Each parameter is left out, off, ordinary or extreme. */
export function randomParams(random: Pcg32, V: number): OracleParams {
  const all: Record<keyof OracleParams, () => number> = {
    temperature: () =>
      pick(random, [0, 1e-3, 0.5, 0.7, 1, 1.8, 50, 2 * random.uniform() + 0.05, 1e-300, 1e300, 5e-324]),
    top_k: () => pick(random, [0, 1, 2, 5, V - 1, V, V + 5, random.below(V + 1), 1e300]),
    top_p: () =>
      pick(random, [5e-324, 1e-17, 0.1, 0.5, 0.75, 0.9, ALMOST_ONE, 1, dyadic(random), 1 - random.uniform()]),
    min_p: () => pick(random, [0, 5e-324, 1e-17, 0.05, 0.5, 1, ALMOST_ONE, dyadic(random), random.uniform() ** 4]),
    repetition_penalty: () => pick(random, [1, 0.5, 1.1, 1.3, 2, 1e-3, 50, 1e308, 1e-310, 0.5 + random.uniform()]),
    presence_penalty: () => additive(random),
    frequency_penalty: () => additive(random),
  };
  const params: OracleParams = {};
  for (const name of Object.keys(all) as (keyof OracleParams)[]) if (random.below(2) === 0) params[name] = all[name]();
  return params;
}

/** Sums of equal probabilities reach it exactly. */
function dyadic(random: Pcg32): number {
  const n = 2 ** (1 + random.below(8));
  return (1 + random.below(n)) / n;
}

function additive(random: Pcg32): number {
  const size = pick(random, [0, 0.4, 0.6, 1.5, 1e-17, 1e3, 2 * random.uniform(), random.below(50) === 0 ? 1e308 : 1]);
  return random.below(3) === 0 ? -size : size;
}

// ---- Logits ------------------------------------------------------------------------------------------------------

type Fill = (random: Pcg32) => () => number;

/** How the values of one vector come about. */
const KINDS: Record<string, Fill> = {
  normal: (random) => {
    const scale = pick(random, [0.1, 1, 4, 12]);
    return () => Math.fround(scale * roughNormal(random));
  },
  'float64 normal': (random) => () => 3 * roughNormal(random),
  'few values': (random) => {
    const values = Array.from({ length: 1 + random.below(5) }, () => Math.fround(2 * roughNormal(random)));
    return () => pick(random, values);
  },
  'small integers': (random) => () => random.below(7) - 3,
  'all equal': (random) => {
    const value = pick(random, [0, -0, 1, -3.5, 1e30, 1e-40]);
    return () => value;
  },
  'signed zeros': (random) => () => pick(random, [0, -0, -0, 1e-40, -1e-40]),
  'dyadic ratios': (random) => () => Math.fround(-Math.LN2 * random.below(4)),
  huge: (random) => () => pick(random, [1e30, -1e30, 3e38, -3e38, 1, 0]),
  'huge float64': (random) => () => pick(random, [1e300, -1e300, 1.7e308, -1.7e308, 1e30, 5]),
  tiny: (random) => () => pick(random, [1e-40, -1e-40, 5e-324, -5e-324, 2e-45, 0]),
  spread: (random) => () => 1500 * random.uniform() - 750,
  'far below': (random) => () => pick(random, [0, -0.5, -708.5, -720, -744.5, -745.2, -800]),
};

/** V logits of one kind, sometimes masked, in one of the three containers. */
export function randomLogits(random: Pcg32, V: number): Logits {
  const next = (KINDS[pick(random, Object.keys(KINDS))] as Fill)(random);
  const values = Array.from({ length: V }, next);
  if (random.below(3) === 0) mask(values, random);
  const container = random.below(4);
  if (container === 0) return values;
  return container === 1 ? Float64Array.from(values) : Float32Array.from(values, toFloat32);
}

/** Rounds to float32 without reaching infinity. */
function toFloat32(x: number): number {
  return Math.abs(x) > 3.4e38 && Number.isFinite(x) ? Math.sign(x) * 3.4e38 : x;
}

/** Masks a share of the ids, but never all. */
function mask(values: number[], random: Pcg32): void {
  const share = pick(random, [0.1, 0.5, 0.95]);
  const spared = random.below(values.length);
  for (let i = 0; i < values.length; i++) if (i !== spared && random.uniform() < share) values[i] = -Infinity;
}

// ---- Refused values ----------------------------------------------------------------------------------------------

function spoil(request: SampleRequest, random: Pcg32, V: number): void {
  const first = Array.from(request.steps[0] as Logits);
  const at = random.below(V);
  const ways: (() => void)[] = [
    () => Object.assign(request.params, pick(random, BAD_PARAMS)),
    () => request.history.push(pick(random, [V, V + 7, -1, 0.5, Number.NaN])),
    () => request.prompt.push(pick(random, [V, -1, 1.5])),
    () => {
      first[at] = pick(random, [Number.NaN, Infinity]);
      request.steps[0] = first;
    },
    () => {
      request.steps[0] = pick<Logits>(random, [new Float32Array(V).fill(-Infinity), []]);
    },
  ];
  pick(random, ways)();
}

const BAD_PARAMS: readonly OracleParams[] = [
  { temperature: -1 },
  { temperature: Infinity },
  { top_k: -1 },
  { top_k: 1.5 },
  { top_p: 0 },
  { top_p: 1.0000000000000002 },
  { min_p: -5e-324 },
  { min_p: Number.NaN },
  { repetition_penalty: 0 },
  { presence_penalty: Number.NaN },
  { frequency_penalty: -Infinity },
];
