/**
 * `require` of every door. It gives ES modules since Node 20.19, where none of their files waits at its top level.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { check, node } from './run.mjs';

/** Programs of their own, which nothing imports. */
const PROGRAMS = ['src/workers/thread.js', 'src/cli/main.js'];

export async function checkRequire(project, doors) {
  await check('no file of the package waits at its top level', () =>
    checkAwaits(join(project, 'node_modules/lockstep/dist')),
  );
  for (const door of doors) {
    const script = `if (Object.keys(require('${door}')).length === 0) throw new Error('it is empty')`;
    await check(`require('${door}')`, () => node(['--input-type=commonjs', '--eval', script], { cwd: project }));
  }
}

async function checkAwaits(dist) {
  const names = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  assert.ok(names.length > 200, `${names.length} files`);
  const waiting = [];
  for (const name of names) if (await waits(readFileSync(join(dist, name), 'utf8'))) waiting.push(name);
  const others = waiting.filter((name) => !PROGRAMS.includes(name.replaceAll('\\', '/')));
  assert.ok(others.length === 0, others.join(', '));
}

/** CommonJS has no `await` at the top level, and esbuild says so. */
async function waits(code) {
  try {
    await transform(code, { format: 'cjs', logLevel: 'silent' });
    return false;
  } catch (error) {
    if (error.errors.every(({ text }) => text.startsWith('Top-level await'))) return true;
    throw error;
  }
}
