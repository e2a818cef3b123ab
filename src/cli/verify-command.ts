/**
 * `lockstep verify`: whether this engine gives the same results, to the bit, as every other. Exit 1 when it does not.
 */
import { type Command, Option } from 'commander';
import type { Passes } from '../numerics/passes.js';
import { GROUPS, type GroupName, type GroupReport } from '../verify/check.js';
import { verify } from '../verify/verify.js';
import { warnOfOldNode } from './old-node.js';

interface VerifyFlags {
  readonly json?: true;
  readonly groups?: GroupName[];
  readonly boundRows?: number;
}

export function addVerifyCommand(program: Command): void {
  program
    .command('verify')
    .description('check that this engine is in lockstep: the same results, to the last bit; a few seconds')
    .option('--json', 'the report as one JSON object')
    .addOption(new Option('--groups <names...>', 'only these groups').choices(GROUPS))
    .option('--bound-rows <count>', 'how many rows the group bounds tries, of any size', Number)
    .action(runVerify);
}

async function runVerify({ json, groups, boundRows }: VerifyFlags): Promise<void> {
  warnOfOldNode();
  const report = await verify({
    ...(groups && { groups }),
    ...(boundRows !== undefined && { boundRows }),
    onGroup: (group) => {
      if (!json) process.stdout.write(`${line(group)}\n`);
    },
  });
  if (json) process.stdout.write(`${JSON.stringify(report)}\n`);
  else
    process.stderr.write(
      `[lockstep ${report.version}, numerics: ${report.numerics.join('; ')}]\n${note(report.passes)}`,
    );
  if (!report.ok) process.exitCode = 1;
}

/** Nothing where the passes in WebAssembly run. */
function note(passes: Passes): string {
  return passes.passes === 'plain' ? `[the passes over a vocabulary are the plain ones: ${passes.reason}]\n` : '';
}

const WIDTH = Math.max(...GROUPS.map((name) => name.length));

function line(group: GroupReport): string {
  const name = group.name.padEnd(WIDTH);
  if (group.ok) return `${name}  ok  ${group.digest}  ${group.checks} checks`;
  if (group.ok === null) return `${name}  skipped  ${group.skipped}`;
  const { what, expected, got } = group.difference;
  return `${name}  DIFFERS  ${what}: expected ${expected}, got ${got}`;
}
