/**
 * A user's project with the program of the guide, built by each bundler: the folder that it wrote, and its script there.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import webpack from 'webpack';
import { ROOT, run } from '../engine.mjs';
import { blockOf } from './guide.mjs';

/** The sections of the guide: with and without a bundler that copies the files. */
const COPIED = 'Vite and webpack';
const BY_HAND = 'esbuild and Rollup';
/** Where each bundler writes. */
export const OUT = 'out';
const BINARIES = ['conformance/bundling/node_modules/.bin', 'node_modules/.bin'].map((path) => join(ROOT, path));

/** The folder of a new project, and how to take it away. */
export function makeProject() {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-bundling-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/lockstep'), 'junction');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

/** Writes the program of a section; by default the one that Node runs as it is. */
export function writeProgram(folder, section = COPIED) {
  writeFileSync(join(folder, 'app.mjs'), blockOf(section, 'js'));
}

async function withVite(folder) {
  writeProgram(folder);
  writeFileSync(join(folder, 'index.html'), '<!doctype html><script type="module" src="./app.mjs"></script>');
  await build({
    configFile: false,
    logLevel: 'error',
    root: folder,
    base: './',
    build: { outDir: OUT, target: 'es2022' },
  });
}

async function withWebpack(folder) {
  writeProgram(folder);
  const settings = {
    mode: 'production',
    context: folder,
    entry: './app.mjs',
    output: { path: join(folder, OUT), filename: 'app.js' },
  };
  const stats = await promisify(webpack)(settings);
  const { errors } = stats.toJson({ all: false, errors: true });
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
}

/** By the commands of the guide, as they stand; `npx` would look for the bundler in the project. */
function withCommands(bundler) {
  return async (folder) => {
    writeProgram(folder, BY_HAND);
    const commands = blockOf(BY_HAND, 'sh', bundler).replaceAll('npx ', '');
    await run('sh', ['-e', '-c', commands], {
      cwd: folder,
      env: { PATH: [...BINARIES, process.env.PATH].join(delimiter) },
    });
  };
}

/** What bundles the project in a folder into `out` there; whether Node runs the bundle too. A page is Vite's, or one of its own. */
export const BUNDLERS = [
  { name: 'Vite', bundle: withVite },
  { name: 'webpack', bundle: withWebpack },
  { name: 'esbuild', bundle: withCommands('esbuild'), isForNode: true },
  { name: 'Rollup', bundle: withCommands('rollup'), isForNode: true },
];
