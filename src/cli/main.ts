#!/usr/bin/env node
/**
 * The command line. Wrong input: one line on standard error, exit 2; a fault of the program: one line, exit 1.
 */
import { endQuietlyWhenUnread, reportFailure } from './failure.js';
import { runProgram } from './program.js';

async function main(): Promise<number> {
  try {
    await runProgram(process.argv.slice(2));
    return Number(process.exitCode ?? 0); // a command that has an answer of its own sets it
  } catch (error) {
    return reportFailure(error);
  }
}

endQuietlyWhenUnread();
process.on('uncaughtException', (error) => process.exit(reportFailure(error)));
process.exitCode = await main();
