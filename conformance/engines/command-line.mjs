/**
 * Engines with a command line of their own: Node, Bun and Deno run `lockstep verify` of the built package.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Absent, inPackages, run } from '../engine.mjs';

const COMMAND = ['dist/src/cli/main.js', 'verify', '--json'];

/** Runs the command; a difference makes it end with 1. `before` is what stands before the engine's own arguments. */
export async function verifyWith(program, args = [], env = {}, before = []) {
  const version = (await run(program, [...before, '--version'], { env })).match(/\d+(\.\d+)+/)?.[0] ?? 'unknown';
  const report = JSON.parse(await run(program, [...before, ...args, ...COMMAND], { codes: [0, 1], env }));
  return { version, report };
}

async function runNode20() {
  const { version } = process;
  if (!version.startsWith('v20.')) throw new Absent(`the Node at hand is ${version}`);
  return verifyWith(process.execPath);
}

async function runDeno() {
  const program = inPackages('@deno/linux-x64-glibc/deno');
  const cache = mkdtempSync(join(tmpdir(), 'lockstep-deno-'));
  try {
    const args = ['run', '--no-remote', '--no-prompt', '--allow-read', '--allow-env'];
    return await verifyWith(program, args, { DENO_DIR: cache, DENO_NO_UPDATE_CHECK: '1' });
  } finally {
    rmSync(cache, { recursive: true });
  }
}

/** @type {import('../engine.mjs').Engine[]} */
export const engines = [
  { name: 'node', run: async () => verifyWith(process.execPath) },
  { name: 'node20', run: runNode20 },
  { name: 'node22', run: async () => verifyWith(inPackages('node22/bin/node')) },
  { name: 'node24', run: async () => verifyWith(inPackages('node24/bin/node')) },
  { name: 'node-newest', run: async () => verifyWith(inPackages('node-newest/bin/node')) },
  { name: 'bun', run: async () => verifyWith(inPackages('@oven/bun-linux-x64/bin/bun')) },
  { name: 'deno', run: runDeno },
];
