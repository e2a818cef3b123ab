/**
 * The commands together, what `--help` says of them, and what is said of a command that is none.
 */
import { Command } from 'commander';
import { InvalidValueError } from '../errors.js';
import type { Profile } from '../profiles/profile.js';
import { VERSION } from '../version.js';
import { say } from './failure.js';
import { addGenerateCommand } from './generate-command.js';
import { profileIn } from './profile-flags.js';
import { addReplCommand } from './repl-command.js';
import { addSampleCommand } from './sample-command.js';
import { addTraceCommand } from './trace-command.js';
import { addVerifyCommand } from './verify-command.js';

const AFTER_HELP = `
Without a command: a passage that the embedded model begins by itself, with the flags of generate; standard input is
not read.

Exit codes: 0; 1 verify found a difference, or a fault of this program; 2 wrong input, which is one line on standard
error; 130 ended by Ctrl-C.`;

const OF_PROGRAM = ['-h', '--help', '-V', '--version'];

/** Runs the command that `args` name; without one, a passage, for which no prompt is taken. */
export async function runProgram(args: readonly string[]): Promise<void> {
  const [first = '--'] = args;
  const isNamed = !first.startsWith('-') || OF_PROGRAM.includes(first);
  await createProgram(isNamed, profileIn(args)).parseAsync(isNamed ? args : ['generate', ...args], { from: 'user' });
}

function createProgram(isNamed: boolean, profile: Profile | undefined): Command {
  const program = new Command('lockstep')
    .description('the sampling stage of a language model: the same token, to the last bit, in every JavaScript engine')
    .usage('[command] [options]')
    .version(VERSION)
    .exitOverride()
    .configureOutput({ outputError: (text) => say(explained(text)) })
    .addHelpText('after', AFTER_HELP);
  addGenerateCommand(program, isNamed, profile);
  for (const add of [addSampleCommand, addTraceCommand]) add(program, profile);
  for (const add of [addReplCommand, addVerifyCommand]) add(program);
  if (!isNamed) program.hook('preAction', (_, { args }) => refuseLateCommand(args[0]));
  return program;
}

function refuseLateCommand(word: string | undefined): void {
  if (word !== undefined) throw new InvalidValueError('lockstep', 'command', 'before the flags', word);
}

/** What commander says, without its label; behind an unknown command, where a prompt goes. */
function explained(text: string): string {
  const message = text.replace(/^error: /, '').trim();
  return message.startsWith('unknown command') ? `${message} (a prompt goes behind the command generate)` : message;
}
