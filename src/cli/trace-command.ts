/**
 * `lockstep trace [logits]`: what each step does to given logits, as a table or as JSON.
 */
import type { Command } from 'commander';
import { InvalidValueError } from '../errors.js';
import type { Passes } from '../numerics/passes.js';
import type { Profile } from '../profiles/profile.js';
import { traceSample } from '../sampler/trace.js';
import { cutTrace } from './cut-trace.js';
import { parseNumber } from './param-parsers.js';
import { renderTrace } from './render-trace.js';
import { addRequestFlags, openRequest, type RequestFlags } from './request-flags.js';

const ROWS = 8;
/** Where no terminal says how wide it is. */
const WIDTH = 120;

interface TraceFlags extends RequestFlags {
  readonly json?: true;
  readonly rows?: number;
  readonly all?: true;
}

export function addTraceCommand(program: Command, profile: Profile | undefined): void {
  const command = program.command('trace').description('show what each step does to given logits');
  addRequestFlags(command, profile);
  command
    .option('--rows <n>', `how many entries of each list are shown, most likely first (default ${ROWS})`, parseRows)
    .option('--all', 'all entries, however many')
    .option('--json', 'as one JSON object; `cut` in it says which lists were longer')
    .action((path: string | undefined, flags: TraceFlags) => runTrace(path, flags, profile));
}

async function runTrace(path: string | undefined, flags: TraceFlags, profile: Profile | undefined): Promise<void> {
  const rows = rowsOf(flags);
  const { sampler, logits } = await openRequest(path, flags, profile);
  const trace = traceSample(sampler, logits);
  const width = process.stdout.columns ?? WIDTH;
  process.stdout.write(flags.json ? `${JSON.stringify(cutTrace(trace, rows))}\n` : renderTrace(trace, { rows, width }));
  const { numerics } = trace;
  if (!flags.json) process.stderr.write(`[numerics: ${numerics.name}${reason(numerics)}]\n`);
}

function rowsOf({ rows, all }: TraceFlags): number {
  if (rows !== undefined && all) throw new InvalidValueError('lockstep', 'rows', 'absent beside --all', rows);
  return all ? Infinity : (rows ?? ROWS);
}

function parseRows(text: string): number {
  const rows = parseNumber(text);
  if (typeof rows === 'number' && Number.isSafeInteger(rows) && rows >= 1) return rows;
  throw new InvalidValueError('lockstep', 'rows', 'an integer >= 1', rows);
}

function reason(passes: Passes): string {
  return passes.passes === 'plain' ? `; the passes over a vocabulary are the plain ones: ${passes.reason}` : '';
}
