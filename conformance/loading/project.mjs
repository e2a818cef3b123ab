/**
 * A user's project in a folder of its own: the programs of this folder, with `lockstep` among its packages.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../engine.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));

/** Its folder, and how to take it away. */
export function makeProject() {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-loading-'));
  cpSync(HERE, folder, { recursive: true });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/lockstep'), 'junction');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}
