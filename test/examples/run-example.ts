/**
 * Runs a program of examples/ as its user would: with node, in the project's folder, against the built package.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/**
 * The lines that the example prints; `env` over the environment of this process. Rejects when it does not exit with 0 or
 * writes to standard error.
 */
export async function runExample(name: string, env: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const options = { cwd: ROOT, env: { ...process.env, ...env } };
  const { stdout, stderr } = await run(process.execPath, [`examples/${name}`], options);
  if (stderr !== '') throw new Error(`${name} wrote to standard error: ${stderr}`);
  return stdout.trimEnd().split('\n');
}

/** What follows `label` and spaces on the one line that begins with it. */
export function labelled(lines: readonly string[], label: string): string {
  const found = lines.filter((line) => line.startsWith(`${label} `));
  if (found.length !== 1) throw new Error(`${found.length} lines begin with ${label}:\n${lines.join('\n')}`);
  return (found[0] as string).slice(label.length).trim();
}
