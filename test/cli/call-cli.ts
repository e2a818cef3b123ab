import { Readable } from 'node:stream';
import { reportFailure } from '../../src/cli/failure.js';
import { runProgram } from '../../src/cli/program.js';
import type { CliRun } from './run-cli.js';

type Stream = 'stdout' | 'stderr';

/**
 * Runs the command line inside the test's process: what it writes, and the code that it would end with. A tenth of the
 * time of `runCli`, which is for what a process of its own has: pipes, signals, the end of the program.
 */
export async function callCli(args: readonly string[], input: string | Uint8Array = ''): Promise<CliRun> {
  const { exitCode } = process;
  const listeners = process.listeners('SIGINT');
  const written = { stdout: capture('stdout'), stderr: capture('stderr') };
  const restoreInput = giveInput(input);
  try {
    process.exitCode = undefined;
    const status = await statusOf(args);
    return { status, stdout: written.stdout.text(), stderr: written.stderr.text() };
  } finally {
    process.exitCode = exitCode;
    for (const listener of process.listeners('SIGINT')) {
      if (!listeners.includes(listener)) process.off('SIGINT', listener);
    }
    for (const { restore } of Object.values(written)) restore();
    restoreInput();
  }
}

/** As the main module does. */
async function statusOf(args: readonly string[]): Promise<number> {
  try {
    await runProgram(args);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return reportFailure(error);
  }
}

/** Keeps what is written to `stream` from the terminal. */
function capture(stream: Stream): { text(): string; restore(): void } {
  const { write } = process[stream];
  const chunks: Buffer[] = [];
  process[stream].write = ((chunk: string | Uint8Array) =>
    chunks.push(Buffer.from(chunk as string)) > 0) as typeof write;
  return {
    text: () => Buffer.concat(chunks).toString(),
    restore: () => {
      process[stream].write = write;
    },
  };
}

/** Standard input that holds `input` and ends. */
function giveInput(input: string | Uint8Array): () => void {
  const real = Object.getOwnPropertyDescriptor(process, 'stdin') as PropertyDescriptor;
  const bytes = Buffer.from(input as string);
  Object.defineProperty(process, 'stdin', {
    configurable: true,
    value: Readable.from(bytes.length > 0 ? [bytes] : [], { objectMode: false }),
  });
  return () => Object.defineProperty(process, 'stdin', real);
}
