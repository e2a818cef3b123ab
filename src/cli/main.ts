#!/usr/bin/env node
/**
 * The command line. Wrong input: one line on standard error, exit 2.
 */
import { Command, CommanderError } from 'commander';
import { InvalidValueError } from '../errors.js';
import { VERSION } from '../version.js';
import { addGenerateCommand } from './generate-command.js';
import { addReplCommand } from './repl-command.js';
import { addSampleCommand } from './sample-command.js';
import { addTraceCommand } from './trace-command.js';
import { addVerifyCommand } from './verify-command.js';

const WRONG_INPUT = 2;

function createProgram(): Command {
  const program = new Command('lockstep')
    .description('the sampling stage of a language model: the same token, to the last bit, in every JavaScript engine')
    .version(VERSION)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`lockstep: ${oneLine(text)}\n`) });
  for (const add of [addGenerateCommand, addSampleCommand, addTraceCommand, addReplCommand, addVerifyCommand])
    add(program);
  return program;
}

function oneLine(text: string): string {
  return text
    .replace(/^error: /, '')
    .trim()
    .replace(/\s*\n\s*/g, ' ');
}

async function main(): Promise<number> {
  try {
    await createProgram().parseAsync();
    return Number(process.exitCode ?? 0); // a command that has an answer of its own sets it
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_INPUT; // it has said what is wrong
    if (!(error instanceof InvalidValueError)) throw error;
    process.stderr.write(`${error.message.startsWith('lockstep:') ? '' : 'lockstep: '}${oneLine(error.message)}\n`);
    return WRONG_INPUT;
  }
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0); // the reader has had enough
  throw error;
});

process.exitCode = await main();
