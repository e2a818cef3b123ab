/**
 * The chain of a profile, from parameters under the other system's names.
 */
import { checkOptions, readFields } from '../../processors/check-options.js';
import { nearestName } from '../../processors/did-you-mean.js';
import type { ChainData, ChainStepData } from '../chain/chain-data.js';
import { InvalidValueError } from '../errors.js';
import { PROFILES } from './list.js';
import type { Profile } from './profile.js';

/** The names of the profiles. */
export const PROFILE_NAMES: readonly string[] = Object.freeze(PROFILES.map(({ name }) => name));

/** The profile of that name. Throws InvalidValueError for a name that none has. */
export function profileNamed(name: string): Profile {
  const found = PROFILES.find((profile) => profile.name === name);
  if (found !== undefined) return found;
  throw new InvalidValueError('profileChain', 'profile', `one of ${PROFILE_NAMES.join(', ')}`, name);
}

/**
 * The chain, as data, that the system of this name would run for these parameters, by its rules and in its order. Rules and
 * order are promised, tokens are not: the draw is Lockstep's, and all numbers are exact float64.
 * @param name `spec`, `huggingface`, `llama.cpp`, `vllm`, `mlx-lm`, `text-generation-webui`, `ollama` or `pvml`
 * @param params under the system's own names; what is left out or undefined has the system's default
 * Throws InvalidValueError, naming the parameter, for one that the system has and that is not honoured (with the reason), for
 * one that it does not have, and for a value that it does not take.
 */
export function profileChain(name: string, params: Readonly<Record<string, unknown>> = {}): ChainData {
  const profile = profileNamed(name);
  const owner = ownerOf(profile);
  const given = withoutUndefined(readFields(owner, 'params', params));
  const named = canonical(owner, profile, given);
  const values = checkOptions(owner, profile.schema, named, 'params');
  return Object.freeze(profile.steps(values).map(frozen));
}

/** How the refusals of a profile name who refuses. */
export function ownerOf({ name }: Profile): string {
  return `profile ${name}`;
}

/** Every name that the system knows a parameter by, with the first of its names. */
export function namesOf({ params }: Profile): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(params).flatMap(([name, { also = [] }]) => [name, ...also].map((other) => [other, name] as const)),
  );
}

/** The parameters under their first names. */
function canonical(owner: string, profile: Profile, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = namesOf(profile);
  const named = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of Object.entries(given)) {
    const name = names.get(key);
    if (name === undefined) throw refusal(owner, profile, key, value);
    if (name in named) throw new InvalidValueError(owner, key, `absent beside its other name, ${name}`, value);
    named[name] = value;
  }
  return named;
}

/** Why a parameter is not taken: it is the system's and not honoured, or not the system's. */
function refusal(owner: string, { refused, params }: Profile, key: string, value: unknown): InvalidValueError {
  if (Object.hasOwn(refused, key)) return new InvalidValueError(owner, key, `absent: ${refused[key]}`, value);
  const known = Object.keys(params);
  const near = nearestName(key, known);
  const meant = near === undefined ? '' : `did you mean \`${near}\`? `;
  return new InvalidValueError(owner, key, `absent (${meant}the parameters are: ${known.join(', ')})`, value);
}

function withoutUndefined(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function frozen(step: ChainStepData): ChainStepData {
  return Object.freeze({ ...step });
}
