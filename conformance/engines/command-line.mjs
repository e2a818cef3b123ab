/**
 * Engines with a command line of their own: Node, Bun and Deno run `lockstep verify` of the built package.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Absent, inPackages, run } from '../engine.mjs';

const BOUND_ROWS = process.env.BOUND_ROWS === undefined ? [] : ['--bound-rows', process.env.BOUND_ROWS];
const COMMAND = ['dist/src/cli/main.js', 'verify', '--json', ...BOUND_ROWS];
const DENO_ARGS = ['run', '--no-remote', '--no-prompt', '--allow-read', '--allow-env'];

/**
 * How a script is run: by which program, with which arguments before the script's name, and which more (`forServer`) where
 * it asks a server on this machine.
 *
 * @typedef {{ program: string, args?: string[], forServer?: string[], env?: Record<string, string> }} Command
 * @type {Record<string, (folder: string) => Command>} `folder` is one for its files, empty at first
 */
const COMMANDS = {
  node: () => ({ program: process.execPath }),
  node20: () => ({ program: node20() }),
  node22: () => ({ program: inPackages('node22/bin/node') }),
  node24: () => ({ program: inPackages('node24/bin/node') }),
  'node-newest': () => ({ program: inPackages('node-newest/bin/node') }),
  bun: () => ({ program: inPackages('@oven/bun-linux-x64/bin/bun') }),
  deno: (folder) => ({
    program: inPackages('@deno/linux-x64-glibc/deno'),
    args: DENO_ARGS,
    forServer: ['--allow-net=127.0.0.1'],
    env: { DENO_DIR: folder, DENO_NO_UPDATE_CHECK: '1' },
  }),
};

export const PROGRAMS = Object.keys(COMMANDS);

function node20() {
  const { version } = process;
  if (!version.startsWith('v20.')) throw new Absent(`the Node at hand is ${version}`);
  return process.execPath;
}

/** What `use` makes of the command of a program. */
export async function withProgram(name, use) {
  const folder = mkdtempSync(join(tmpdir(), `lockstep-${name}-`));
  try {
    return await use({ args: [], forServer: [], env: {}, ...COMMANDS[name](folder) });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param before what stands before the program's own arguments */
export async function versionOf({ program, env }, before = []) {
  return (await run(program, [...before, '--version'], { env })).match(/\d+(\.\d+)+/)?.[0] ?? 'unknown';
}

/** Runs the command; a difference makes it end with 1. */
export async function verifyWith({ program, args = [], env = {} }, before = []) {
  const version = await versionOf({ program, env }, before);
  const report = JSON.parse(await run(program, [...before, ...args, ...COMMAND], { codes: [0, 1], env }));
  return { version, report };
}

/** @type {import('../engine.mjs').Engine[]} */
export const engines = PROGRAMS.map((name) => ({
  name,
  run: () => withProgram(name, (command) => verifyWith(command)),
}));
