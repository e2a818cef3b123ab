/**
 * Requests and answers of the ports, as fixtures/ports/README.md defines them, and random requests.
 */
import type { Logits } from '../../src/logits.js';
import type { SamplingParamsInput } from '../../src/params/sampling-params.js';
import type { Pcg32 } from '../../src/random/pcg32.js';
import { pick, randomRequest } from '../support/requests.js';

export interface PortRequest {
  readonly logits: Logits;
  readonly params: SamplingParamsInput;
  readonly history: readonly number[];
  readonly prompt: readonly number[];
  readonly seed: number | bigint;
  /** Uniforms to pass over before the first token. */
  readonly skip: number | bigint;
  /** Tokens to draw from these logits, each entering the history. */
  readonly tokens: number;
  /** Whether the vectors are answered as digests. */
  readonly digest: boolean;
}

/** Doubles as 16 hexadecimal digits, big-endian; the vectors are those of the last token. */
export interface PortTokens {
  readonly ids: readonly number[];
  readonly logprob_bits: readonly string[];
  readonly entropy_bits: readonly string[];
  /** One entry an id, or the digest of all. */
  readonly processed: readonly string[] | string;
  readonly q: readonly string[] | string;
}

export type PortAnswer = PortTokens | { readonly error: string };

const LONG = 1000;

/**
 * The request numbered `n` of a run: V mostly in [1, 300], some thousands for one in 25, and a vocabulary of a real
 * model for one in 100.
 */
export function randomPortRequest(random: Pcg32, n: number): PortRequest {
  const V = randomSize(random, n);
  const { steps, ...request } = randomRequest(random, V, 1);
  return {
    ...request,
    logits: steps[0] as Logits,
    skip:
      random.below(2) === 0 ? 0 : pick(random, [1, 2, random.below(1000), 2 ** 40, -1, 2n ** 63n - 1n, 2n ** 64n - 5n]),
    tokens: V > LONG ? 1 + random.below(2) : pick(random, [1, 1, 1, 2, 5]),
    digest: V > LONG || random.below(8) === 0,
  };
}

function randomSize(random: Pcg32, n: number): number {
  if (n % 100 === 50) return pick(random, [50_257, 128_256, 128_256, 128_256]);
  if (n % 25 === 5) return LONG + 1 + random.below(8000);
  return random.below(4) === 0 ? 1 + random.below(8) : 1 + random.below(300);
}

/** The line that a port reads. */
export function requestLine(request: PortRequest): string {
  const { seed, skip, logits, ...rest } = request;
  const plain = { ...rest, seed: String(seed), skip: String(skip), logits: Array.from(logits) };
  return JSON.stringify(plain, (_, value: unknown) => (typeof value === 'number' ? jsonNumber(value) : value));
}

/** The four numbers that JSON cannot write are strings. */
function jsonNumber(x: number): number | string {
  if (Number.isNaN(x)) return 'nan';
  if (Object.is(x, -0)) return '-0';
  if (Number.isFinite(x)) return x;
  return x > 0 ? 'inf' : '-inf';
}
