/**
 * The examples and the README's programs in a strict install, such as pnpm makes: the packed tarball in a project of its own,
 * where a package finds what its package.json names and nothing else, and so does the user's program.
 *
 *     npm run check:strict-install
 *
 * What the programs import beside `lockstep` is named as the docs say it: zod for a processor with a schema, inversify and
 * reflect-metadata for a module of one's own. A second project, without them, runs a program that needs none of them. pnpm
 * has a lock file of its own in tools/pnpm. The project must have been built.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, failed, node, npm, ROOT, run } from './package/run.mjs';

const PNPM = join(ROOT, 'tools/pnpm/node_modules/.bin/pnpm');
const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
/** What a user installs beside it, as the docs say. */
const BESIDE = ['zod', 'inversify', 'reflect-metadata'];
const STRICT = `nodeLinker: isolated
hoist: false
autoInstallPeers: false
strictPeerDependencies: true
minimumReleaseAge: 0
`;

async function pack(folder) {
  const { stdout } = await npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder]);
  return join(folder, JSON.parse(stdout)[0].filename);
}

/** A project with the tarball and these packages. */
async function install(folder, name, tarball, others) {
  const project = join(folder, name);
  const versions = Object.fromEntries(others.map((other) => [other, dependencies[other]]));
  mkdirSync(project);
  const manifest = { name, private: true, type: 'module', dependencies: { lockstep: `file:${tarball}`, ...versions } };
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(project, 'pnpm-workspace.yaml'), STRICT);
  const args = ['install', '--ignore-scripts', '--prefer-offline', '--store-dir', join(folder, 'store')];
  await run(PNPM, args, { cwd: project, env: { CI: 'true' } });
  return project;
}

/** The programs of the README. */
function readmePrograms() {
  const text = readFileSync(join(ROOT, 'README.md'), 'utf8');
  return [...text.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
}

async function runAll(project) {
  cpSync(join(ROOT, 'examples'), join(project, 'examples'), { recursive: true });
  for (const name of readdirSync(join(project, 'examples'))) {
    await check(`examples/${name}`, () => node([join('examples', name)], { cwd: project }));
  }
  for (const [i, code] of readmePrograms().entries()) {
    writeFileSync(join(project, `readme-${i}.mjs`), code);
    await check(`program ${i + 1} of the README`, () => node([`readme-${i}.mjs`], { cwd: project }));
  }
}

async function checkAll(folder) {
  if (!existsSync(PNPM)) await npm(['ci', '--prefix', join(ROOT, 'tools/pnpm')]);
  const tarball = await pack(folder);
  let project;
  const name = `installs strictly, with ${BESIDE.join(', ')} beside it`;
  if (await check(name, async () => (project = await install(folder, 'whole', tarball, BESIDE)))) await runAll(project);
  await check('installs strictly alone, and samples, generates and imports every door', async () => {
    const alone = await install(folder, 'alone', tarball, []);
    const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const doors = Object.entries(exports).filter(([, target]) => typeof target !== 'string');
    const imports = doors.map(([path]) => `import 'lockstep${path.slice(1)}';`);
    const [sampling, generating] = readmePrograms();
    for (const [i, code] of [imports.join('\n'), sampling, generating].entries()) {
      writeFileSync(join(alone, `alone-${i}.mjs`), code);
      await node([`alone-${i}.mjs`], { cwd: alone });
    }
  });
}

const folder = mkdtempSync(join(tmpdir(), 'lockstep-strict-'));
try {
  await checkAll(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (failed() > 0) process.exitCode = 1;
