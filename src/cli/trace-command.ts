/**
 * `lockstep trace [logits]`: what each step does to given logits, as a table or as JSON.
 */
import type { Command } from 'commander';
import type { Passes } from '../numerics/passes.js';
import { traceSample } from '../sampler/trace.js';
import { renderTrace } from './render-trace.js';
import { addRequestFlags, openRequest, type RequestFlags } from './request-flags.js';

export function addTraceCommand(program: Command): void {
  const command = program.command('trace').description('show what each step does to given logits');
  addRequestFlags(command);
  command.option('--json', 'the whole trace as JSON').action(runTrace);
}

async function runTrace(path: string | undefined, flags: RequestFlags): Promise<void> {
  const { sampler, logits } = await openRequest(path, flags);
  const trace = traceSample(sampler, logits);
  process.stdout.write(flags.json === true ? `${JSON.stringify(trace)}\n` : renderTrace(trace));
  const { numerics } = trace;
  if (flags.json !== true) process.stderr.write(`[numerics: ${numerics.name}${reason(numerics)}]\n`);
}

function reason(passes: Passes): string {
  return passes.passes === 'plain' ? `; the passes over a vocabulary are the plain ones: ${passes.reason}` : '';
}
