/**
 * An import map for the package's dependencies as npm installed them: where a browser finds what is imported by name.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './engine.mjs';

const CONDITIONS = ['browser', 'module', 'import', 'default'];

function manifest(folder) {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
}

/** The names of all packages that `name` needs, itself among them. */
function closure(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  const { dependencies = {}, peerDependencies = {} } = manifest(`node_modules/${name}`);
  for (const needed of Object.keys({ ...dependencies, ...peerDependencies })) closure(needed, found);
  return found;
}

/** The file that an entry of `exports` stands for; undefined where none is for browsers. */
function target(entry) {
  if (typeof entry === 'string') return entry;
  const condition = CONDITIONS.find((name) => entry?.[name] !== undefined);
  return condition && target(entry[condition]);
}

/** What the package in `folder` can be imported as, with the file of each, from the root. */
function entries(name, folder = `node_modules/${name}`) {
  const { exports, module, main = 'index.js' } = manifest(folder);
  const all = typeof exports === 'object' && '.' in exports ? exports : { '.': exports ?? module ?? main };
  return Object.entries(all)
    .map(([path, entry]) => [join(name, path), target(entry)])
    .filter(([path, file]) => file !== undefined && !path.includes('*'))
    .map(([path, file]) => [path, `/${join(folder, file)}`]);
}

/** Lockstep's own entries. */
export function ownEntries() {
  return Object.fromEntries(entries(manifest('.').name, '.'));
}

export function importMap() {
  const needed = Object.keys(manifest('.').dependencies).flatMap((name) => [...closure(name)]);
  return { imports: Object.fromEntries([...new Set(needed)].flatMap((name) => entries(name))) };
}
