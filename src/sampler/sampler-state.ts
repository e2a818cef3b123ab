/**
 * A request as JSON: enough to go on in another process with the same ids and the same logprobs.
 * Source: docs/SPEC.md, "Hand-off".
 */
import type { JsonValue } from '../../processors/contract.js';
import { listOf } from '../../processors/list-schema.js';
import { checkOptions, integerFrom, numberIn } from '../../processors/schema.js';
import * as z from '../../processors/zod.js';
import type { ChainData } from '../chain/chain-data.js';
import type { ProcessorChain } from '../chain/processor-chain.js';
import { InvalidValueError } from '../errors.js';
import type { Numerics } from '../numerics/numerics.js';
import { checkSampler, type Sampler } from './sampler.js';

/** The version of the format; another one is refused. */
export const STATE_VERSION = 3;

export interface SamplerState {
  readonly version: typeof STATE_VERSION;
  /** The chain as data. */
  readonly chain: ChainData;
  /** SHA-256 of the chain as data and of `versions` where there are any, 64 hexadecimal digits. */
  readonly fingerprint: string;
  /** What is behind the steps, such as a grammar's engine, by the steps' names; absent where nothing with a version is. */
  readonly versions?: Readonly<Record<string, string>>;
  /** The numerics, by the values that they give; the passes over a vocabulary may be others. */
  readonly numerics: string;
  /** A u64 in decimal digits. */
  readonly seed: string;
  /** Uniforms drawn from the seed's sample stream. */
  readonly draws: number;
  readonly prompt: readonly number[];
  readonly output: readonly number[];
  /** The state of each step, null for one without. */
  readonly states: readonly JsonValue[];
}

const U64_DIGITS = 'an unsigned 64-bit integer in decimal digits';

function isU64(text: string): boolean {
  return /^(0|[1-9][0-9]{0,19})$/.test(text) && BigInt(text) < 1n << 64n;
}

const HEX_256 = '64 hexadecimal digits';

const ids = () => listOf(integerFrom(0), 'an array of integers >= 0');

export const samplerStateSchema = z.strictObject({
  version: z.literal(STATE_VERSION, { error: `${STATE_VERSION}, the format this version reads` }),
  chain: listOf(z.record(z.string(), z.unknown(), { error: 'an object' }), 'a chain as data'),
  fingerprint: z.string({ error: HEX_256 }).check(z.regex(/^[0-9a-f]{64}$/, { error: HEX_256 })),
  versions: z.optional(z.record(z.string(), z.string({ error: 'a string' }), { error: 'an object of strings' })),
  numerics: z.string({ error: 'a string' }),
  seed: z.string({ error: U64_DIGITS }).check(z.refine(isU64, { error: U64_DIGITS })),
  draws: numberIn('an integer >= 0', (n) => Number.isSafeInteger(n) && n >= 0),
  prompt: ids(),
  output: ids(),
  states: listOf(z.unknown(), 'an array with a state for each step'),
});

/** The state of `sampler` now. Throws when a step has a state that it cannot save. */
export function saveSampler(sampler: Sampler): SamplerState {
  checkSampler('saveSampler', 'sampler', sampler);
  const versions = sampler.chain.versions();
  return {
    version: STATE_VERSION,
    chain: sampler.chain.toData(),
    fingerprint: sampler.chain.fingerprint(),
    ...(versions && { versions }),
    numerics: valuesOf(sampler.numerics),
    seed: String(sampler.seed),
    draws: sampler.draws,
    prompt: [...sampler.history.prompt],
    output: [...sampler.history.output],
    states: sampler.chain.save(),
  };
}

/** Refuses a chain that is not the one that was saved: an option edited on the way, or a processor replaced since. */
export function checkFingerprint(state: SamplerState, chain: ProcessorChain): void {
  const found = chain.fingerprint();
  if (found === state.fingerprint) return;
  throw new InvalidValueError(
    'SamplerState',
    'fingerprint',
    `${found}, that of the chain made here`,
    state.fingerprint,
  );
}

/** Refuses another version of what is behind a step, such as a grammar's engine: what it allows may be something else. */
export function checkVersions(state: SamplerState, chain: ProcessorChain): void {
  const saved = new Map(Object.entries(state.versions ?? {}));
  const here = new Map(Object.entries(chain.versions() ?? {}));
  for (const name of new Set([...here.keys(), ...saved.keys()])) {
    const [before, now] = [saved.get(name), here.get(name)];
    if (before === now) continue;
    const domain =
      now === undefined ? 'absent, as the step made here has none' : `"${now}", that of the step made here`;
    throw new InvalidValueError('SamplerState', `versions.${name}`, domain, before);
  }
}

/** Refuses other numerics than those that were saved: the ids would go on, and the bits would not. */
export function checkNumerics(state: SamplerState, numerics: Numerics): void {
  const found = valuesOf(numerics);
  if (found === state.numerics) return;
  const domain = `${JSON.stringify(found)}, the numerics here`;
  throw new InvalidValueError('SamplerState', 'numerics', domain, state.numerics);
}

function valuesOf({ values, name }: Numerics): string {
  return values ?? name;
}

/** `state` checked; throws InvalidValueError for what `saveSampler` did not write. */
export function checkState(state: unknown): SamplerState {
  return checkOptions('SamplerState', samplerStateSchema, state) as unknown as SamplerState;
}
