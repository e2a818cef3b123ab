/**
 * publint and arethetypeswrong on the tarball: whether every door leads to files and types, for Node and for bundlers.
 * The package is of ES modules alone, so that TypeScript's resolutions of CommonJS are left out.
 */
import { join } from 'node:path';
import { check, node, ROOT } from './run.mjs';

/** Files that are doors and no modules. */
const FILES = ['grammar/engine.wasm'];

export async function lintPackage(tarball) {
  const program = (path) => join(ROOT, 'node_modules', path);
  await check('publint finds nothing', () => node([program('publint/src/cli.js'), 'run', tarball, '--strict']));
  const attw = program('@arethetypeswrong/cli/dist/index.js');
  const args = ['--profile', 'esm-only', '--exclude-entrypoints', ...FILES, '--no-emoji', '--no-color'];
  await check('arethetypeswrong finds nothing', () => node([attw, tarball, ...args]));
}
