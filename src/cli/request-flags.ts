/**
 * What `sample` and `trace` share: logits, ids that came before, parameters or a chain, and the sampler made of them.
 */
import { type Command, Option } from 'commander';
import { InvalidValueError } from '../errors.js';
import type { Logits } from '../logits.js';
import { POLICY_PARAMS } from '../params/policy-params.js';
import type { Profile } from '../profiles/profile.js';
import { createSampler } from '../request/create-sampler.js';
import type { Sampler } from '../sampler/sampler.js';
import { LOGITS_FORMATS, type LogitsFormat, readLogits } from './logits-input.js';
import { addModuleFlag, type ModuleFlags, ownContainer } from './own-module.js';
import { paramsOf } from './param-flags.js';
import { addPolicyFlags, chainOf, requestFlagsOf } from './profile-flags.js';

export interface RequestFlags extends Record<string, unknown>, ModuleFlags {
  readonly format: LogitsFormat;
  readonly history?: number[];
  readonly prompt?: number[];
  readonly chain?: string;
}

const LOGITS_HELP =
  'a file with the logits of one token: a JSON array (a masked id is -Infinity, "-inf" or null), .npy of 16, 32 or 64 ' +
  'bits, or raw little-endian float32; - is standard input, as is none where something is piped there';

/** Gives `command` the argument and the flags. */
export function addRequestFlags(command: Command, profile: Profile | undefined): void {
  command
    .argument('[logits]', LOGITS_HELP)
    .addOption(new Option('--format <format>', 'of the logits').choices(LOGITS_FORMATS).default('auto'))
    .option('--history <ids>', 'ids generated before, separated by commas', idList('history'))
    .option('--prompt <ids>', 'ids of the prompt, separated by commas', idList('prompt'))
    .option('--chain <json>', 'a chain as data, or a file with one, instead of the spec chain');
  addModuleFlag(command);
  addPolicyFlags(command, profile, [...POLICY_PARAMS.map(({ name }) => name), 'seed', 'logprobs']);
}

interface Request {
  readonly sampler: Sampler;
  readonly logits: Logits;
}

/** The sampler and the logits that the flags describe. */
export async function openRequest(
  path: string | undefined,
  flags: RequestFlags,
  profile: Profile | undefined,
): Promise<Request> {
  const chain = await chainOf(flags, profile);
  const container = await ownContainer(flags);
  const sampler = createSampler(paramsOf(requestFlagsOf(flags, profile)), {
    prompt: flags.prompt ?? [],
    history: flags.history ?? [],
    ...(chain && { chain }),
    ...(container && { container }),
  });
  return { sampler, logits: await readLogits(path, flags.format) };
}

function idList(name: string): (text: string) => number[] {
  return (text) => {
    const parts = text.split(/[\s,]+/).filter((part) => part !== '');
    const wrong = parts.find((part) => !/^\d+$/.test(part));
    if (wrong !== undefined) throw new InvalidValueError('lockstep', name, 'integers >= 0 separated by commas', wrong);
    return parts.map(Number);
  };
}
