/**
 * What the files in engines/ share: an engine has a name and a `run` that gives its version and the report of `verify`.
 * It throws `Absent` where the engine is not on this machine.
 *
 * @typedef {{ version: string, report: object }} Outcome
 * @typedef {{ name: string, run: () => Promise<Outcome> }} Engine
 */
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
export const PACKAGES = fileURLToPath(new URL('node_modules', import.meta.url));
const EMULATED = fileURLToPath(new URL('emulated/node_modules', import.meta.url));
const NPM = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const LONGEST_MS = 900_000;

export class Absent extends Error {}

/** The first of `names` that is an executable file on the path. */
export function onPath(names, hint) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
  if (found !== undefined) return found;
  throw new Absent(`no ${names.join(' or ')} on the path: ${hint}`);
}

/** A file of the packages in this folder; they are optional, as each is for one platform. */
export function inPackages(path) {
  const found = join(PACKAGES, path);
  if (existsSync(found)) return found;
  throw new Absent(`${path} is not installed here`);
}

/** A file of the packages for other processors, which are installed when the first of them is asked for. */
export async function inEmulated(path) {
  if (!existsSync(EMULATED)) await npm('ci', '--prefix', 'conformance/emulated');
  return join(EMULATED, path);
}

/** Installs what this folder needs, where it is missing, and builds the package. */
export async function prepare() {
  if (!existsSync(PACKAGES)) await npm('ci', '--ignore-scripts', '--prefix', 'conformance');
  await npm('run', '--silent', 'build');
}

export function npm(...args) {
  return run(NPM, args);
}

/** Runs a program to its end: what it wrote to standard output. */
export function run(command, args, { codes = [0], env = {}, cwd = ROOT } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, timeout: LONGEST_MS });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (codes.includes(code)) resolve(stdout);
      else reject(new Error(`${command} ${args.join(' ')} ended with ${code ?? signal}\n${stderr || stdout}`));
    });
  });
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
