/**
 * How the command line says that something went wrong: one line on standard error, and the exit code.
 */
import { CommanderError } from 'commander';
import type { InvalidValueError } from '../errors.js';

const FAULT = 1;
const WRONG_INPUT = 2;
/** What a shell gives for a program that Ctrl-C ended: 128 and the number of SIGINT. */
export const INTERRUPTED = 130;

/** Says what `error` is, and gives the exit code: 2 for wrong input, 1 for a fault of this program. */
export function reportFailure(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_INPUT; // it has said what is wrong
  const isInput = isRefusal(error);
  const message = oneLine(error instanceof Error ? error.message : String(error));
  const name = error instanceof Error ? error.name : typeof error;
  if (isInput) say(message.replace(/^lockstep: /, ''));
  else say(`a fault of this program, not of its input: ${name}: ${message} (LOCKSTEP_STACK=1 shows where)`);
  if (process.env.LOCKSTEP_STACK === '1' && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  return isInput ? WRONG_INPUT : FAULT;
}

/** Whether `error` refuses what was given; by its name, as a module of the user's own may have another copy of this package. */
export function isRefusal(error: unknown): error is InvalidValueError {
  return error instanceof Error && error.name === 'InvalidValueError';
}

/** A line on standard error. */
export function say(text: string): void {
  process.stderr.write(`lockstep: ${oneLine(text)}\n`);
}

/** Whoever reads the output may have had enough (`| head -1`): no reason to go on, and nothing to complain about. */
export function endQuietlyWhenUnread(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      process.exit(error.code === 'EPIPE' ? 0 : reportFailure(error));
    });
  }
}

function oneLine(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, ' ');
}
