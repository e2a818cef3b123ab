/**
 * `--profile llama.cpp`: the flags of another system, under its own names, in place of those of the spec's chain.
 */
import { type Command, Option } from 'commander';
import { domainOf } from '../../processors/domain-of.js';
import type { ChainData } from '../chain/chain-data.js';
import { InvalidValueError } from '../errors.js';
import { POLICY_PARAMS } from '../params/policy-params.js';
import type { Profile, ProfileParam } from '../profiles/profile.js';
import { PROFILE_NAMES, profileChain, profileNamed } from '../profiles/profile-chain.js';
import { readChain } from './chain-input.js';
import { addParamFlags, camel, GENERATION_FIELDS, type ParamField } from './param-flags.js';
import { defaultOf, kindOf, parserOf } from './profile-values.js';

export interface ProfileFlags extends Readonly<Record<string, unknown>> {
  readonly chain?: string;
}

/** What would be a step of the chain: a profile has its own. */
const OF_CHAIN: readonly string[] = [...POLICY_PARAMS.map(({ name }) => name), 'logit_bias', 'min_tokens'];

/** What belongs to the request, whatever the profile. */
const OF_REQUEST: readonly string[] = GENERATION_FIELDS.filter((field) => !OF_CHAIN.includes(field));

/** The profile that `args` name, before commander reads them: its flags are those that commander is to know. */
export function profileIn(args: readonly string[]): Profile | undefined {
  const end = args.indexOf('--');
  const flags = end < 0 ? args : args.slice(0, end);
  const at = flags.findIndex((arg) => arg === '--profile' || arg.startsWith('--profile='));
  const name = flags[at]?.includes('=') ? flags[at].slice('--profile='.length) : flags[at + 1];
  if (at < 0 || name === undefined) return undefined;
  if (PROFILE_NAMES.includes(name)) return profileNamed(name);
  throw new InvalidValueError('lockstep', '--profile', `one of ${PROFILE_NAMES.join(', ')}`, name);
}

/** Gives `command` `--profile`, and the flags of `fields`, those of policy being the profile's where there is one. */
export function addPolicyFlags(
  command: Command,
  profile: Profile | undefined,
  fields: readonly ParamField[],
  defaults = {},
): void {
  command.option(
    '--profile <name>',
    `the rules, order and parameter names of another system: ${PROFILE_NAMES.join(', ')}`,
  );
  if (profile === undefined) addParamFlags(command, fields, defaults);
  else addProfile(command, profile, fields);
}

/** The flags of the request that the profile has no parameter for, the profile's, and those that it refuses. */
function addProfile(command: Command, profile: Profile, fields: readonly ParamField[]): void {
  const own = fields.filter((field) => OF_REQUEST.includes(field));
  addParamFlags(command, own);
  for (const [name, param] of Object.entries(profile.params)) addParam(command, name, param);
  for (const name of refusedFlags(profile)) {
    for (const spelling of spellings([name])) command.addOption(new Option(`--${spelling} [value]`).hideHelp());
  }
  command.addHelpText('after', afterHelp(profile));
}

/** A flag for each of its spellings, of which help shows the first. */
function addParam(command: Command, name: string, { schema, help, also = [] }: ProfileParam): void {
  const kind = kindOf(schema);
  const shown = `${help}: ${domainOf(schema)}${defaultOf(schema)}`;
  for (const spelling of spellings([name, ...also])) {
    const option = new Option(kind === 'boolean' ? `--${spelling}` : `--${spelling} <${kind}>`, shown);
    if (kind !== 'boolean') option.argParser(parserOf(schema));
    command.addOption(spelling === kebab(name) ? option : option.hideHelp());
  }
}

/** The chain that the flags say: that of `--chain`, or the profile's; undefined for the spec's. */
export async function chainOf(flags: ProfileFlags, profile: Profile | undefined): Promise<ChainData | undefined> {
  if (profile === undefined) return flags.chain === undefined ? undefined : readChain(flags.chain);
  if (flags.chain !== undefined)
    throw new InvalidValueError('lockstep', '--chain', 'absent beside --profile', flags.chain);
  const params: Record<string, unknown> = {};
  for (const { name, key } of keysOf(profile)) {
    if (flags[key] === undefined) continue;
    if (name in params) throw new InvalidValueError('lockstep', `--${kebab(name)}`, 'given once', 'both spellings');
    params[name] = flags[key];
  }
  return named(() => profileChain(profile.name, params));
}

/** The flags without those of the profile. */
export function requestFlagsOf<F extends ProfileFlags>(flags: F, profile: Profile | undefined): F {
  if (profile === undefined) return flags;
  const keys = keysOf(profile).map(({ key }) => key);
  return Object.fromEntries(Object.entries(flags).filter(([key]) => !keys.includes(key))) as F;
}

/** Each key under which commander has a parameter, also a refused one. */
function keysOf(profile: Profile): { name: string; key: string }[] {
  const also = Object.entries(profile.params).flatMap(([name, param]) => [name, ...(param.also ?? [])]);
  const names = [...also, ...refusedFlags(profile)];
  return names.flatMap((name) => [...new Set([name, camel(name)])].map((key) => ({ name, key })));
}

/** The refused parameters whose names are no flags of the commands themselves. */
function refusedFlags({ refused }: Profile): string[] {
  return Object.keys(refused).filter((name) => name !== 'format' && !OF_REQUEST.includes(name));
}

/** What `make` gives; a refusal names the flag. */
function named<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof InvalidValueError)) throw error;
    throw new InvalidValueError('lockstep', `--${kebab(error.parameter)}`, error.domain, error.value);
  }
}

function spellings(names: readonly string[]): string[] {
  return [...new Set(names.flatMap((name) => [kebab(name), name]))];
}

function kebab(name: string): string {
  return name.replaceAll('_', '-');
}

function afterHelp(profile: Profile): string {
  const { name, system, differs } = profile;
  const lines = differs.map((line) => `  - ${line}`).join('\n');
  const others = refusedFlags(profile).join(', ');
  return `
Profile ${name}: ${system}. Its rules and order, not its tokens: the draw is Lockstep's and all numbers are float64.
What differs from the spec:
${lines}
Refused, each with its reason: ${others}`;
}
