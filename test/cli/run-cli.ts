import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const MAIN = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

export interface CliRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command line; `npm test` builds it first. */
export function runCli(args: readonly string[], input: string | Uint8Array = ''): CliRun {
  return runNode([MAIN, ...args], input);
}

/** The same after `script`, a module that makes the engine another one. */
export function runCliWith(script: string, args: readonly string[], input: string | Uint8Array = ''): CliRun {
  return runNode(['--import', `data:text/javascript,${encodeURIComponent(script)}`, MAIN, ...args], input);
}

function runNode(args: readonly string[], input: string | Uint8Array): CliRun {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  return { status, stdout, stderr };
}
