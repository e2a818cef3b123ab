/**
 * Plants each bug of the spec in a copy of the project and runs the tests on it: every one must be killed.
 *
 * `npm run mutants`, or with ids (`npm run mutants -- 3 20`) only those. The tests named after the spec come first; what
 * they let through goes on to the others, up to the first failure. A bug that names its tests is for these alone. Exit 1 when
 * a bug survives.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ADAPTIVE_BUGS } from './adaptive-bugs.mjs';
import { PLANTED_BUGS } from './planted-bugs.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const COPIED = ['src', 'processors', 'test', 'package.json', 'tsconfig.json', 'vitest.config.ts'];
const LINKED = ['node_modules', 'fixtures'];
const REST = [
  'oracle',
  'processors',
  'params',
  'candidates',
  'chain',
  'sampler',
  'random',
  'numerics',
  'laws',
  'cases',
];

/** A copy of what the tests need. */
function copyProject() {
  const copy = mkdtempSync(join(tmpdir(), 'planted-'));
  for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  for (const name of LINKED) symlinkSync(join(ROOT, name), join(copy, name));
  return copy;
}

/** Makes the edits of `bug` in `copy`; gives back what undoes them. */
function plant(bug, copy) {
  const originals = new Map();
  for (const { file, find, put } of bug.edits) {
    const path = join(copy, file);
    const text = readFileSync(path, 'utf8');
    if (!originals.has(path)) originals.set(path, text);
    const count = text.split(find).length - 1;
    if (count !== 1) throw new Error(`planted bug ${bug.id}: found ${count} times in ${file}: ${find}`);
    writeFileSync(
      path,
      text.replace(find, () => put),
    );
  }
  return () => {
    for (const [path, text] of originals) writeFileSync(path, text);
  };
}

/** Whether the tests in `folders` pass on the copy. */
function testsPass(copy, folders) {
  const args = ['vitest', 'run', '--bail=1', '--reporter=dot', ...folders.map((folder) => `test/${folder}`)];
  const { status } = spawnSync('npx', args, { cwd: copy, stdio: 'ignore', timeout: 600_000 });
  return status === 0;
}

function run(bug, copy) {
  const undo = plant(bug, copy);
  try {
    if (bug.tests !== undefined) return testsPass(copy, [bug.tests]) ? 'SURVIVED' : 'killed by its own tests';
    if (!testsPass(copy, ['spec'])) return 'killed by the spec tests';
    return testsPass(copy, REST) ? 'SURVIVED' : 'killed by the other tests';
  } finally {
    undo();
  }
}

const wanted = process.argv.slice(2);
const bugs = [...PLANTED_BUGS, ...ADAPTIVE_BUGS].filter(({ id }) => wanted.length === 0 || wanted.includes(id));
const copy = copyProject();
try {
  if (!testsPass(copy, ['spec'])) throw new Error('the spec tests fail without a planted bug');
  let survivors = 0;
  for (const bug of bugs) {
    const outcome = run(bug, copy);
    if (outcome === 'SURVIVED') survivors++;
    console.log(`${bug.id.padStart(3)}  ${outcome.padEnd(26)}${bug.what}`);
  }
  console.log(`${bugs.length - survivors} killed, ${survivors} survived`);
  process.exitCode = survivors === 0 ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true });
}
