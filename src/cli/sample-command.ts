/**
 * `lockstep sample [logits]`: one token from given logits, as JSON.
 */
import type { Command } from 'commander';
import { paramsOf } from './param-flags.js';
import { addRequestFlags, openRequest, type RequestFlags } from './request-flags.js';

export function addSampleCommand(program: Command): void {
  const command = program.command('sample').description('sample one token from given logits; prints JSON');
  addRequestFlags(command);
  command.action(runSample);
}

async function runSample(path: string | undefined, flags: RequestFlags): Promise<void> {
  const { sampler, logits } = await openRequest(path, flags);
  const { id, logprob } = sampler.sample(logits);
  const count = paramsOf(flags).logprobs ?? 0;
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
