/**
 * The requests of the group `requests`, each by its number: every parameter, vocabularies of 1 to 151,936 ids, ties,
 * masks and signed zeros.
 */
import type { Logits } from '../logits.js';
import type { SamplingParamsInput } from '../params/sampling-params.js';
import { Pcg32 } from '../random/pcg32.js';
import type { Seed } from '../random/seed.js';
import { pick, RECIPE_SEED, roughNormal } from './draws.js';

export interface VerifyRequest {
  readonly logits: Logits;
  readonly params: SamplingParamsInput;
  readonly prompt: readonly number[];
  readonly history: readonly number[];
  readonly seed: Seed;
  /** Uniforms passed over before the first token. */
  readonly skip: number;
  /** Tokens drawn from these logits, each entering the history. */
  readonly tokens: number;
}

const SMALL = 320;
/** The largest V of them. */
const LARGEST_SMALL = 5000;
const EVERY = { temperature: 0.8, top_k: 40, top_p: 0.95, min_p: 0.05, repetition_penalty: 1.1 };
/** Vocabularies of real models, with what is asked of them. */
const LARGE: readonly (readonly [V: number, params: SamplingParamsInput])[] = [
  [32_000, { ...EVERY, presence_penalty: 0.3, frequency_penalty: 0.2 }],
  [50_257, { temperature: 0.7, top_p: 0.9 }],
  [50_257, { temperature: 1.3, min_p: 0.02 }],
  [128_256, EVERY],
  [128_256, {}],
  [128_256, { temperature: 0, repetition_penalty: 1.3 }],
  [151_936, { top_p: 0.9 }],
  [151_936, { ...EVERY, top_k: 1000, top_p: 0.5, frequency_penalty: 0.5 }],
];

/** How many there are. */
export const REQUESTS = SMALL + LARGE.length;

export function makeRequest(n: number): VerifyRequest {
  const random = new Pcg32(RECIPE_SEED, 1000 + n);
  const [V, params] = LARGE[n - SMALL] ?? makePolicy(random, n);
  return {
    logits: makeLogits(random, V),
    params,
    prompt: makeIds(random, V),
    history: makeIds(random, V),
    seed: pick<Seed>(random, [0, 42, random.nextU32(), Number.MAX_SAFE_INTEGER, 18446744073709551615n]),
    skip: pick(random, [0, 0, 1, random.below(1000)]),
    tokens: n < SMALL ? 1 + random.below(4) : 2,
  };
}

/** V is a few hundred at most, but for one in sixteen. */
function makePolicy(random: Pcg32, n: number): readonly [V: number, params: SamplingParamsInput] {
  const V = 1 + (n % 16 === 5 ? 1000 + random.below(LARGEST_SMALL - 1000) : random.below(pick(random, [8, 70, 300])));
  return [V, makeParams(random, V)];
}

/** Up to a dozen ids with repeats, often few distinct ones. */
function makeIds(random: Pcg32, V: number): number[] {
  const among = Math.min(V, pick(random, [1, 3, V]));
  return Array.from({ length: random.below(13) }, () => random.below(among));
}

/** Each parameter is left out, or one of some values that a request may have. */
function makeParams(random: Pcg32, V: number): SamplingParamsInput {
  const u = () => random.uniform();
  const eighths = () => (1 + random.below(8)) / 8; // sums of equal probabilities reach it exactly
  const values: Record<string, readonly number[]> = {
    temperature: [0, 0.5, 0.7, 0.9, 1, 1.3, 1.8, 0.05 + 2 * u(), 0.001, 50],
    top_k: [0, 1, 2, 5, 40, V - 1, V, V + 5, random.below(V + 1)],
    top_p: [0.1, 0.5, 0.75, 0.9, 0.95, 1, eighths(), 1 - u()],
    min_p: [0, 0.02, 0.05, 0.1, 0.5, 1, eighths(), u()],
    repetition_penalty: [1, 0.5, 1.1, 1.3, 2, 0.5 + u()],
    presence_penalty: [0, 0.4, 0.6, 1.5, -0.5, 2 * u()],
    frequency_penalty: [0, 0.2, 0.4, 1, -0.3, 2 * u()],
  };
  const chosen = Object.entries(values).filter(() => random.below(2) === 0);
  return Object.fromEntries(chosen.map(([name, among]) => [name, pick(random, among)]));
}

/** How the values of one vector come about; the first three are much like a model's. */
const KINDS: readonly ((random: Pcg32) => () => number)[] = [
  (random) => scaledNormal(random, pick(random, [0.1, 1, 3, 12])),
  (random) => scaledNormal(random, 3),
  (random) => () => Math.floor(16 * roughNormal(random)) / 4, // quarters: ties among ordinary values
  (random) => {
    const few = Array.from({ length: 1 + random.below(5) }, () => 2 * roughNormal(random));
    return () => pick(random, few);
  },
  (random) => () => pick(random, [0, -0, -0, 1e-40, -1e-40]),
  (random) => () => -Math.LN2 * random.below(4), // probabilities in ratios of two
  (random) => () => 1500 * random.uniform() - 750,
  (random) => () => pick(random, [0, -0.5, -708.5, -720, -744.5, -745.2, -800]),
];

function scaledNormal(random: Pcg32, scale: number): () => number {
  return () => scale * roughNormal(random);
}

/** V logits of one kind, sometimes masked; float32 mostly, as a model gives them, else float64. */
function makeLogits(random: Pcg32, V: number): Logits {
  const isSmall = V <= LARGEST_SMALL;
  const next = pick(random, isSmall ? KINDS : KINDS.slice(0, 3))(random);
  const masked = pick(random, [0, 0, 0.1, 0.5, 0.95]);
  const spared = random.below(V);
  const logits = isSmall && random.below(4) === 0 ? new Float64Array(V) : new Float32Array(V);
  for (let id = 0; id < V; id++) {
    const x = next();
    logits[id] = masked > 0 && random.uniform() < masked && id !== spared ? -Infinity : x;
  }
  return logits;
}
