/**
 * `lockstep sample [logits]`: one token from given logits, as JSON.
 */
import type { Command } from 'commander';
import type { Profile } from '../profiles/profile.js';
import { paramsOf } from './param-flags.js';
import { requestFlagsOf } from './profile-flags.js';
import { addRequestFlags, openRequest, type RequestFlags } from './request-flags.js';

export function addSampleCommand(program: Command, profile: Profile | undefined): void {
  const command = program.command('sample').description('sample one token from given logits; prints JSON');
  addRequestFlags(command, profile);
  command.action((path: string | undefined, flags: RequestFlags) => runSample(path, flags, profile));
}

async function runSample(path: string | undefined, flags: RequestFlags, profile: Profile | undefined): Promise<void> {
  const { sampler, logits } = await openRequest(path, flags, profile);
  const { id, logprob } = sampler.sample(logits);
  const count = paramsOf(requestFlagsOf(flags, profile)).logprobs ?? 0;
  const result = {
    id,
    logprob,
    entropy: sampler.entropy(),
    ...(count > 0 && { top_logprobs: sampler.topLogprobs(count) }),
    seed: String(sampler.seed),
    draws: sampler.draws,
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
