/**
 * Checks the package as a user gets it: packed, linted, installed from its tarball into an empty project, imported,
 * required, compiled against, bundled and called from the command line. Prints a line a check; exits 1 when one fails.
 *
 * The project must have been built. Uses the npm registry for the package's own dependencies.
 */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { lintPackage } from './package/lint.mjs';
import { checkRequire } from './package/require.mjs';
import { check, failed, ROOT, run } from './package/run.mjs';
import { checkTypeScript } from './package/typescript.mjs';

const PACKAGE = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
/** What the package can be imported as. */
const DOORS = Object.entries(PACKAGE.exports).flatMap(([path, target]) =>
  typeof target === 'string' ? [] : [`lockstep${path.slice(1)}`],
);
const MODEL = ['config.json', 'tokenizer.json', 'weights.safetensors'].map((name) => `fixtures/model/${name}`);
const NOTICES = 'grammar-engine/NOTICES.txt';
const VERIFIED = ['fixtures/sampler_golden.json', 'fixtures/verify/digests.json'];
const FOREIGN = /^(src|processors|test|examples|bench|tools)\/|\.(py|tsbuildinfo)$|(?<!\.d)\.ts$/;
const TSCONFIG = {
  compilerOptions: {
    target: 'ES2022',
    lib: ['ES2022', 'DOM', 'DOM.AsyncIterable'],
    module: 'NodeNext',
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    outDir: 'out',
  },
  files: ['typed.ts'],
};

/** Packs into `folder`: the tarball, and the paths of the files in it. */
async function pack(folder) {
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]);
  const [{ filename, files }] = JSON.parse(stdout);
  return { tarball: join(folder, filename), paths: files.map(({ path }) => path) };
}

function checkContents(paths) {
  const targets = Object.values(PACKAGE.exports).flatMap((entry) =>
    typeof entry === 'string' ? [entry] : Object.values(entry),
  );
  const named = [...targets, ...Object.values(PACKAGE.bin)];
  const wanted = [
    ...named.map((path) => path.replace(/^\.\//, '')),
    ...MODEL,
    ...VERIFIED,
    NOTICES,
    'README.md',
    'LICENSE',
    'CHANGELOG.md',
  ];
  const missing = wanted.filter((path) => !paths.includes(path));
  assert.ok(missing.length === 0, `missing: ${missing.join(', ')}`);
  const foreign = paths.filter((path) => FOREIGN.test(path));
  assert.ok(foreign.length === 0, `not for users: ${foreign.join(', ')}`);
}

/** A user's empty project with the tarball installed. */
async function install(tarball, project) {
  mkdirSync(project);
  cpSync(join(ROOT, 'tools/check-package'), project, { recursive: true });
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'user', private: true, type: 'module' }));
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  await run('npm', ['install', ...quiet, tarball], { cwd: project });
}

async function checkLibrary(project) {
  const library = await import(pathToFileURL(join(project, 'library.mjs')).href);
  for (const [name, work] of Object.entries(library.checks)) await check(name, work);
  return library;
}

async function checkTypes(project) {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  await check('compiles strictly, declarations included', () => run(process.execPath, [tsc], { cwd: project }));
  await check('runs what was compiled', () => run(process.execPath, ['out/typed.js'], { cwd: project }));
}

/** Vite's build of a program that uses the embedded model and a grammar, run where nothing is but what Vite wrote. */
async function checkBundle(project, { eightTokens, schemaText }) {
  await check('bundles with Vite, the embedded model and the engine of the grammars included', async () => {
    const { build } = await import('vite');
    writeFileSync(
      join(project, 'bundled.mjs'),
      `import { eightTokens, schemaText } from './library.mjs';\nconst runs = [await eightTokens(), await schemaText()];\nconsole.log(JSON.stringify(runs.map(({ text }) => text)));\n`,
    );
    const output = { entryFileNames: 'bundled.mjs', assetFileNames: '[name]-[hash][extname]' };
    await build({
      configFile: false,
      logLevel: 'error',
      root: project,
      base: './',
      build: {
        outDir: '../bundled',
        emptyOutDir: true,
        target: 'es2022',
        rolldownOptions: { input: join(project, 'bundled.mjs'), output },
      },
    });
    const { stdout } = await run(process.execPath, ['bundled.mjs'], { cwd: join(project, '../bundled') });
    assert.deepEqual(JSON.parse(stdout), [(await eightTokens()).text, (await schemaText()).text]);
  });
}

async function checkCommand(project, { eightTokens, PROMPT }) {
  const lockstep = (args, options) => run('npx', ['--no-install', 'lockstep', ...args], { cwd: project, ...options });
  await check('npx lockstep --version', async () => {
    assert.equal((await lockstep(['--version'])).stdout.trim(), PACKAGE.version);
  });
  await check('npx lockstep sample', async () => {
    const args = ['sample', '--top-k', '3', '--top_p', '0.8', '--seed', '0'];
    const { id, logprob } = JSON.parse((await lockstep(args, { input: '[1, 3, 2, 3, -1]' })).stdout);
    assert.deepEqual({ id, logprob }, { id: 3, logprob: -0.9248660042217248 });
  });
  await check('npx lockstep generate', async () => {
    const flags = ['--temperature', '0.8', '--top-p', '0.95', '--max-tokens', '8', '--seed', '7'];
    const { stdout } = await lockstep(['generate', PROMPT, ...flags]);
    assert.equal(stdout.trimEnd(), (PROMPT + (await eightTokens()).text).trimEnd());
  });
  await check('npx lockstep verify', async () => {
    const { stdout } = await lockstep(['verify', '--groups', 'golden', 'pcg32']);
    assert.match(stdout, /golden +ok/);
  });
  await check('npx lockstep refuses a wrong value with one line and exit 2', async () => {
    const { stdout, stderr } = await lockstep(['sample', '--top-p', '2'], { input: '[1, 2]', code: 2 });
    assert.equal(stdout, '');
    assert.match(stderr, /^[^\n]*top[-_]p[^\n]*2[^\n]*\n$/);
  });
}

async function checkAll(folder) {
  const { tarball, paths } = await pack(folder);
  await check('packs what users need and nothing else', () => checkContents(paths));
  await lintPackage(tarball);
  const project = join(folder, 'user');
  if (!(await check('installs into an empty project', () => install(tarball, project)))) return;
  const library = await checkLibrary(project);
  await checkRequire(project, DOORS);
  await checkTypes(project);
  await checkTypeScript(project, DOORS);
  await checkBundle(project, library);
  await checkCommand(project, library);
}

const folder = mkdtempSync(join(tmpdir(), 'lockstep-package-'));
try {
  await checkAll(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (failed() > 0) {
  console.log(`${failed()} failed`);
  process.exitCode = 1;
}
