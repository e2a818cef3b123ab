/**
 * Bare engines, without a platform or packages: they run a bundle of the package.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from '../bundle/build.mjs';
import { onPath, PACKAGES, ROOT, run } from '../engine.mjs';

const FIXTURES = join(ROOT, 'fixtures');
const ENGINE = join(ROOT, 'dist/src/grammar/engine/engine.wasm');

/** JavaScriptCore, the shell that comes with WebKitGTK. */
async function runJsc() {
  const jsc = onPath(['jsc'], 'apt-get install libjavascriptcoregtk-4.0-bin');
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-jsc-'));
  const script = join(folder, 'verify.js');
  const [fixtures, engine] = [`${FIXTURES}/`, ENGINE].map((path) => JSON.stringify(path));
  const start = `runVerify((path) => readFile(${fixtures} + path, 'binary'), readFile(${engine}, 'binary')).then(print, (error) => {
    print(error, error.stack);
    quit(1);
  });`;
  try {
    writeFileSync(script, `${await bundle()}\n${start}\n`);
    const report = JSON.parse(await run(jsc, [script]));
    return { version: await debianVersion('libjavascriptcoregtk-4.0-bin'), report };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** jsc does not tell its version; its package does, where it is one. */
async function debianVersion(name) {
  return run('dpkg-query', ['--show', `--showformat=\${Version}`, name]).catch(() => 'unknown');
}

/**
 * QuickJS, itself compiled to WebAssembly: it interprets, and has no WebAssembly of its own. Its objects are not freed:
 * they go with this process, and its check that none is left over ends the process.
 */
async function runQuickJs() {
  const { getQuickJS } = await import('quickjs-emscripten');
  const { version } = JSON.parse(readFileSync(join(PACKAGES, 'quickjs-emscripten/package.json'), 'utf8'));
  const context = (await getQuickJS()).newContext();
  const evaluate = (code) => context.unwrapResult(context.evalCode(code));
  evaluate(await bundle());
  const read = context.newFunction('read', (path) => fixture(context, context.getString(path)));
  context.setProp(context.global, 'read', read);
  const promise = evaluate('runVerify((path) => new Uint8Array(read(path)))');
  context.unwrapResult(context.runtime.executePendingJobs());
  const { type, value, error } = context.getPromiseState(promise);
  if (type === 'fulfilled') return { version, report: JSON.parse(context.getString(value)) };
  throw new Error(error === undefined ? `the promise is ${type}` : JSON.stringify(context.dump(error)));
}

function fixture(context, path) {
  const { buffer, byteOffset, length } = readFileSync(join(FIXTURES, path));
  return context.newArrayBuffer(buffer.slice(byteOffset, byteOffset + length));
}

/** @type {import('../engine.mjs').Engine[]} */
export const engines = [
  { name: 'jsc', run: runJsc },
  { name: 'quickjs', run: runQuickJs },
];
